import { decodeEvents } from '../../src/engine/core/log/event-codec.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { atOnce } from '../../src/engine/core/steps.js';
import { readPlanText } from '../../src/engine/definitions/plan-text.js';
import type { StoredEvent } from '../../src/engine/ports/store/append.js';
import { faultOfEvent } from '../../src/engine/runtime/transfer/checked-log.js';
import { foldSteps } from '../../src/engine/runtime/transfer/folded-log.js';
import { followSteps } from '../../src/engine/runtime/transfer/replay/followed-log.js';
import { replaySteps } from '../../src/engine/runtime/transfer/replay/replay-log.js';
import { recordedHistories } from '../support/durability-histories.js';
import { stateOf } from '../support/golden/ends.js';
import { historiesOf, recordedVersions } from '../support/golden/recording.js';

const older = recordedHistories().map(({ name, events, record }) => ({
  name,
  logs: new Map([[record.runId, events]]),
  definitions: [] as readonly { readonly hash: string; readonly plan: string | null }[],
}));
const newer = recordedVersions().flatMap((version) =>
  historiesOf(version).map(({ name, appends, definitions }) => {
    const logs = new Map<string, readonly StoredEvent[]>();
    for (const { runId, events } of appends) logs.set(runId, [...(logs.get(runId) ?? []), ...events]);
    return { name: `${version} ${name}`, logs, definitions };
  }),
);

/** Logs of earlier versions are accepted, and mean today what they meant then. */
describe.each([...older, ...newer])('the recorded logs of $name', ({ logs, definitions }) => {
  it.each([...logs])('of %s can be imported, and replayed without a difference', (runId, stored) => {
    const events = decodeEvents(stored, runId);
    expect(events.flatMap((event) => faultOfEvent(event) ?? [])).toEqual([]);
    const [first, second] = events as readonly RunEvent[];
    const hash = first?.type === 'run-started' ? first.definitionHash : '';
    const text = definitions.find((definition) => definition.hash === hash)?.plan ?? null;
    if (text === null) return;
    const { plan } = readPlanText(text);
    const isFork = second?.type === 'run-forked' && second.fromSeq > 0;
    const source = isFork
      ? stateOf((logs.get(second.fromRunId) ?? []).slice(0, second.fromSeq), second.fromRunId, logs)
      : null;
    expect(atOnce(foldSteps({ events, plan, source })).seq).toBe(events.length);
    expect(() => atOnce(followSteps({ events, plan, source }))).not.toThrow();
    expect(atOnce(replaySteps({ events, plan, source }))).toMatchObject({ different: 0, differences: [] });
  });
});
