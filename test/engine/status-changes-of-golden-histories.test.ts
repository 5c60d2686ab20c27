import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { foldLog } from '../../src/engine/core/fold-log.js';
import { decodeEvents } from '../../src/engine/core/log/event-codec.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { INITIAL_STATE, type RunState } from '../../src/engine/core/state/state.js';
import { StatusFold } from '../../src/engine/core/fold/status-fold.js';
import { historiesOf, recordedVersions } from '../support/golden/recording.js';

/** Written where it is missing: what is told of a log stays as it is. */
const FILE = 'test/fixtures/status-changes.json';

type Logs = ReadonlyMap<string, readonly RunEvent[]>;

function stateAt(logs: Logs, runId: string, seq: number): RunState {
  let state = INITIAL_STATE;
  const log = logs.get(runId) ?? [];
  for (const event of log.slice(0, seq)) {
    const bases =
      event.type === 'rewound' ? new Map([[event.toSeq, stateAt(logs, runId, event.toSeq)]]) : undefined;
    state = foldLog(state, [event], bases, sourceOf(logs, event));
  }
  return state;
}

function sourceOf(logs: Logs, event: RunEvent): RunState | undefined {
  return event.type === 'run-forked' && event.fromSeq > 0
    ? stateAt(logs, event.fromRunId, event.fromSeq)
    : undefined;
}

function changesOf(logs: Logs, runId: string): readonly string[] {
  const fold = new StatusFold(INITIAL_STATE);
  const log = logs.get(runId) ?? [];
  for (const event of log)
    fold.take(event, event.type === 'rewound' ? stateAt(logs, runId, event.toSeq) : sourceOf(logs, event));
  fold.settle();
  return fold.changes.map(({ seq, status }) => `${status} with ${seq}, ${log[seq - 1]!.type}`);
}

const found = Object.fromEntries(
  recordedVersions().flatMap((version) =>
    historiesOf(version).map((history) => {
      const logs = new Map<string, RunEvent[]>();
      for (const { runId, events } of history.appends)
        logs.set(runId, [...(logs.get(runId) ?? []), ...decodeEvents(events, runId)]);
      return [
        `${version} ${history.name}`,
        Object.fromEntries([...logs.keys()].map((runId) => [runId, changesOf(logs, runId)])),
      ];
    }),
  ),
);

if (!existsSync(FILE)) writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`);

describe('the changes of a status that are told of a recorded log', () => {
  it.each(Object.keys(found))('%s: are those that were told before', (name) => {
    const before = JSON.parse(readFileSync(FILE, 'utf8')) as typeof found;
    expect(found[name]).toEqual(before[name]);
  });
});
