// Appends to the store in argv[2] until somebody kills it, and says what was acknowledged: one `runId seq` a line.
import { SqliteRunStore } from '../../../.tmp/sqlite-worker/storage/sqlite/sqlite-run-store.js';

const store = new SqliteRunStore({ folder: process.argv[2] });
await store.open();
process.stdout.write('open\n');

const eventOf = (seq) => ({
  v: 1,
  seq,
  at: seq,
  type: 'state-written',
  path: '/spec/flow',
  scope: '',
  unitId: 'note',
  values: { text: `${seq}`.repeat(50) },
});

await Promise.all(
  Array.from({ length: 8 }, async (_, writer) => {
    const runId = `01a0c3c5-7c00-7000-8000-00000000000${writer}`;
    for (let seq = 0; ; seq += 2) {
      await store.append({
        runId,
        expectedSeq: seq,
        events: [eventOf(seq + 1), eventOf(seq + 2)],
        row: {
          runId,
          namespace: 'default',
          workflowId: 'invoices',
          definitionHash: 'h',
          status: 'running',
          createdAt: 1,
          updatedAt: seq + 2,
          endedAt: null,
          openExecutions: 1,
          wakeAt: null,
          lastSeq: seq + 2,
          parentRunId: null,
          origin: 'client',
          forkedFrom: null,
          isCancelled: false,
          figures: null,
          compensation: null,
        },
        storedState: seq % 10 === 8 ? { seq: seq + 2, stateVersion: 1, state: { seq: seq + 2 } } : null,
        idempotency: [],
        labels: null,
        openGates: null,
        decidedGates: null,
        startedFrom: null,
      });
      process.stdout.write(`${runId} ${seq + 2}\n`);
    }
  }),
);
