import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  NOON,
  sampleAppend,
  sampleKey,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { ANY_RUN } from '../../src/engine/ports/store/run-filter.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';

let started: StartedDatabase;
beforeEach(async () => {
  started = await startedDatabase();
  await started.store.open();
});
afterEach(() => started.dispose());

it('appends and marks pass while everything else waits for connections', async () => {
  const { database, store } = started;
  const over = Promise.withResolvers<void>();
  const held = Array.from({ length: 8 }, () =>
    database.transaction(async (query) => {
      await query('SELECT 1');
      // A transaction that is idle for longer is ended.
      await over.promise;
    }),
  );
  const runId = sampleRunId(1);
  expect(await store.append(sampleAppend(runId))).toBe('appended');
  await store.markAtRisk({ runId, doing: 'turn', lastSeq: 2 });
  expect((await started.sql('SELECT run_id FROM @.risk_marks')).map((row) => row['run_id'])).toEqual([runId]);
  const { open, waiting, most } = database.connections;
  expect(most).toBe(7);
  expect(open).toBeLessThanOrEqual(most);
  expect(waiting).toBeGreaterThan(0);
  over.resolve();
  await Promise.all(held);
});

it('lists of one namespace that do not end leave connections to the lists of another', async () => {
  const { store } = started;
  const lock = await started.database.openSession();
  await lock.query('BEGIN');
  await lock.query('LOCK TABLE @.decided_gates IN ACCESS EXCLUSIVE MODE');
  const gates = { status: 'decided', workflowId: null, workflows: null, before: null, limit: 9 } as const;
  const stuck = Array.from({ length: 20 }, () => store.listGates({ namespace: 'greedy', ...gates }));
  const ofOther = { namespace: 'other', filter: ANY_RUN, before: null, limit: 9 };
  expect(await store.findRuns(ofOther)).toEqual({ runs: [], next: null });
  // The greedy one is still where it was, and what it has not asked the database for holds no connection.
  const { most, waiting } = started.database.connections;
  expect([waiting, await Promise.race([...stuck, 'stuck'])]).toEqual([0, 'stuck']);
  expect(most).toBeLessThan(stuck.length);
  await lock.query('COMMIT');
  await lock.end();
  expect(await Promise.all(stuck)).toHaveLength(20);
});

it('a long append stands in nobody’s way: its text is sent as it is', async () => {
  const { store } = started;
  // Twice as long when it is escaped, and longer than what a statement is given the usual time for.
  const text = '"\\\n'.repeat(3_000_000);
  const event = { v: 1, seq: 1, at: NOON, type: 'long', text };
  const runId = sampleRunId(1);
  const delays = monitorEventLoopDelay({ resolution: 10 });
  const request = sampleAppend(runId, {
    events: [event],
    storedState: { seq: 1, stateVersion: 1, state: [text] },
  });
  delays.enable();
  expect(await store.append(request)).toBe('appended');
  delays.disable();
  expect(delays.max / 1e6).toBeLessThan(1_000);
  const loaded = await store.load({ runId, atSeq: null });
  expect(loaded?.storedState?.state).toEqual([text]);
  expect(await store.readEvents({ runId, afterSeq: 0, limit: 9 })).toEqual([event]);
}, 60_000);

it('starts with the same two keys at two replicas, the other way round, do not wait for one another', async () => {
  const other: RunStore = started.replica().store;
  await other.open();
  let longestMs = 0;
  try {
    for (let round = 0; round < 40; round += 1) {
      const keys = [`${round} a`, `${round} b`];
      const start = (store: RunStore, index: number, key: string) => {
        const runId = sampleRunId(round * 4 + index);
        return store.append(sampleAppend(runId, { idempotency: [sampleKey(runId, { key })] }));
      };
      const begunAt = performance.now();
      const results = await Promise.all([
        start(started.store, 0, keys[0]!),
        start(started.store, 1, keys[1]!),
        start(other, 2, keys[1]!),
        start(other, 3, keys[0]!),
      ]);
      longestMs = Math.max(longestMs, performance.now() - begunAt);
      expect(results.toSorted()).toEqual(['appended', 'appended', 'conflict', 'conflict']);
    }
  } finally {
    await other.close();
  }
  // PostgreSQL looks for a circle of waiters after a second.
  expect(longestMs).toBeLessThan(1_000);
});
