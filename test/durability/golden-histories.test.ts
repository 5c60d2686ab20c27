import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CORE_EVENTS } from '../../src/engine/core/fold/core-events.js';
import { FLOWS } from '../../src/engine/core/flows/registry.js';
import { NODES } from '../../src/engine/core/nodes/registry.js';
import { WAIT_KINDS } from '../../src/engine/core/waits/registry.js';
import { InMemoryRunStore, type RunRecord } from '../../src/engine/index.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import type { StoredEvent } from '../../src/engine/ports/store/append.js';
import { builtWorkers } from '../support/built-worker.js';
import type { Played } from '../support/golden/history.js';
import { stateOf } from '../support/golden/ends.js';
import { historiesOf, record, recordedVersions } from '../support/golden/recording.js';
import { recordedFrom, replay } from '../support/golden/replay.js';
import { SCENARIOS } from '../support/golden/scenarios.js';

/**
 * Runs as earlier versions left them, which every later version loads and brings to the same end, wherever a power
 * cut stopped them. `test/fixtures/histories/README.md` says how those of a version are recorded, and that they are
 * never recorded again.
 */
const versionToRecord = process.env['RECORD_HISTORIES'];
if (versionToRecord !== undefined) {
  const known = new Set(
    recordedVersions().includes(versionToRecord) ? historiesOf(versionToRecord).map(({ name }) => name) : [],
  );
  for (const scenario of SCENARIOS) if (!known.has(scenario.name)) await record(versionToRecord, scenario);
}

const versions = recordedVersions();
const histories = versions.flatMap((version) =>
  historiesOf(version).map((history) => ({ title: `${version} ${history.name}`, history })),
);

/** The record as it was shown then: later versions may show more. */
function shownLike(then: RunRecord, { cancelled, ...told }: RunRecord): RunRecord {
  const now = cancelled === undefined || then.cancelled === undefined ? told : { ...told, cancelled };
  if (now.result === undefined) return now;
  const known = new Set(then.result?.messages.map(({ type }) => type));
  return {
    ...now,
    result: { ...now.result, messages: now.result.messages.filter(({ type }) => known.has(type)) },
  };
}

function endsLike(recorded: Played['ends'], ends: Played['ends']): Played['ends'] {
  return Object.fromEntries(
    Object.entries(ends).map(([runId, end]) => {
      const then = recorded[runId]?.record;
      return [runId, then === undefined ? end : { ...end, record: shownLike(then, end.record) }];
    }),
  );
}

function withoutNotifications(ends: Played['ends']): object {
  return Object.fromEntries(
    Object.entries(ends).map(
      ([
        runId,
        {
          record: { status, error },
          state,
          completedUnits,
        },
      ]) => [runId, { status, error, state, completedUnits }],
    ),
  );
}

/**
 * Since then children record more, and follow their parent's pause by an order in its log (decision 0087); and a gate that
 * closes without a decision says why.
 */
const SAID_WITH_MORE: ReadonlySet<string> = new Set([
  '0.3.0 cancel-at-rest',
  '0.3.0 child-at-a-gate',
  '0.3.0 child-paused-with-its-parent',
]);

/** What followed then follows today as well, in any order: the log does not fix which run notifies another first. */
function expectNothingLess(recorded: Played['followed'], followed: Played['followed']): void {
  for (const [runId, events] of Object.entries(recorded)) {
    const types = new Set(followed[runId]?.map(({ type }) => type));
    expect(events.filter(({ type }) => !types.has(type))).toEqual([]);
  }
}

/** Without what became of a run, where a version did not yet say that in its logs; nor in an export, whose hash differs. */
function comparable(followed: Played['followed'], recorded: Played['followed']): Played['followed'] {
  if (Object.values(recorded).some((events) => events.some((event) => 'newStatus' in event))) return followed;
  return Object.fromEntries(
    Object.entries(followed).map(([runId, events]) => [runId, events.map(withoutStatus)]),
  );
}

function withoutStatus(event: StoredEvent): StoredEvent {
  const { newStatus: _newStatus, sha256: _sha256, ...rest } = event as StoredEvent & Record<string, unknown>;
  return rest;
}

describe.each(histories)('the recorded history of $title', ({ title, history }) => {
  const cuts = history.appends.map((_append, index) => index + 1);

  it.each(cuts)('continues after %i of its appends to the same end, by the same events', async (cut) => {
    const { ends, followed } = await replay(history, cut, new InMemoryRunStore());
    const recorded = recordedFrom(history, cut);
    if (SAID_WITH_MORE.has(title)) {
      expectNothingLess(recorded.followed, followed);
      expect(withoutNotifications(ends)).toEqual(withoutNotifications(recorded.ends));
      return;
    }
    expect(comparable(followed, recorded.followed)).toEqual(comparable(recorded.followed, recorded.followed));
    expect(endsLike(recorded.ends, ends)).toEqual(recorded.ends);
  });

  it('continues from the middle in a store on a disk', async () => {
    const cut = Math.ceil(cuts.length / 2);
    const folder = mkdtempSync(join(tmpdir(), 'flowgate-history-'));
    const { ends } = await replay(history, cut, new SqliteRunStore({ folder, workers: builtWorkers }));
    // When a parent is notified of its child depends on the disk.
    expect(withoutNotifications(ends)).toEqual(withoutNotifications(recordedFrom(history, cut).ends));
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
});

describe('the newest histories', () => {
  const newest = historiesOf(versions.at(-1) ?? '');
  const events = newest.flatMap(({ appends }) => appends.flatMap((append) => append.events));
  const plans = newest.flatMap(({ definitions }) => definitions.map(({ plan }) => plan ?? ''));
  const recordFirst = 'add a scenario to test/support/golden/scenarios.ts and record it';

  it('are not written again', async () => {
    const recorded = SCENARIOS.find(({ name }) => newest.some((history) => history.name === name));
    if (recorded === undefined) throw new Error('No scenario is recorded.');
    await expect(record(versions.at(-1) ?? '', recorded)).rejects.toThrow('never rewritten');
  });

  it(`have every type of event; else ${recordFirst}`, () => {
    const present = [CORE_EVENTS, ...Object.values(WAIT_KINDS).map((kind) => kind.events)].flatMap(
      Object.keys,
    );
    const recorded = new Set(events.map(({ type }) => type));
    expect(present.filter((type) => !recorded.has(type))).toEqual([]);
  });

  it(`have every kind of wait, open at some cut; else ${recordFirst}`, () => {
    const open = new Set<string>();
    for (const { appends } of newest) {
      const logs = new Map<string, readonly StoredEvent[]>();
      appends.forEach(({ runId, events: appended }) => {
        logs.set(runId, [...(logs.get(runId) ?? []), ...appended]);
        const state = stateOf(logs.get(runId) ?? [], runId, logs);
        for (const wait of state.waits.values()) open.add(wait.kind);
      });
    }
    expect(Object.keys(WAIT_KINDS).filter((kind) => !open.has(kind))).toEqual([]);
  });

  it(`have every flow type and every kind of unit; else ${recordFirst}`, () => {
    const missing = (field: string, names: readonly string[]): readonly string[] =>
      names.filter((name) => !plans.some((plan) => plan.includes(`"${field}":"${name}"`)));
    expect(missing('type', Object.keys(FLOWS))).toEqual([]);
    expect(missing('kind', Object.keys(NODES))).toEqual([]);
  });
});
