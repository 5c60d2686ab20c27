import fc from 'fast-check';
import {
  endedRow,
  sampleAppend,
  sampleRow,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import type { LogEntry } from '../../src/engine/ports/store/commit-log.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

const RUNS = Number(process.env['FLOWGATE_PROPERTY_RUNS'] ?? 15);
const ENDED_AT = 1_790_000_000_000;

type Step = 'start' | 'end' | 'conflict' | 'import' | 'purge' | 'read' | 'cursor';
const step = fc.constantFrom<Step>(
  'start',
  'start',
  'end',
  'conflict',
  'import',
  'purge',
  'read',
  'read',
  'cursor',
);

describe('a reader of a SQLite log', () => {
  it('is given the same, whether it reads along or comes when all is over', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 12 }),
        async (turns) => {
          const folder = await temporaryFolder();
          const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
          await store.open();
          try {
            const readAlong = await carryOut(store, turns);
            const purged = new Set(
              readAlong.filter(({ kind }) => kind === 'purged').map(({ runId }) => runId),
            );
            const atTheEnd = await readAfter(store, 0);
            // Of a run that was purged, only the notification is left.
            const stillThere = readAlong.filter(({ kind, runId }) => kind === 'purged' || !purged.has(runId));
            expect(stillThere).toEqual(atTheEnd);
          } finally {
            await store.close();
            await folder.remove();
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});

/** The steps of a turn are sent together. Returns what a reader got that read whenever a step says so, and at the end. */
async function carryOut(
  store: SqliteRunStore,
  turns: readonly (readonly Step[])[],
): Promise<readonly LogEntry[]> {
  const got: LogEntry[] = [];
  const running: string[] = [];
  let count = 0;
  const read = async (): Promise<void> => {
    got.push(...(await readAfter(store, got.at(-1)?.position ?? 0)));
  };
  const perform: Readonly<Record<Exclude<Step, 'read'>, () => Promise<unknown>>> = {
    start: () => {
      const runId = sampleRunId(++count);
      return store.append(sampleAppend(runId)).then(() => running.push(runId));
    },
    end: () => {
      const runId = running.shift();
      if (runId === undefined) return Promise.resolve();
      return store.append(sampleAppend(runId, { expectedSeq: 2, count: 1, row: endedRow(runId, ENDED_AT) }));
    },
    conflict: () => store.append(sampleAppend(sampleRunId(count + 1), { expectedSeq: 7 })),
    import: () => {
      const runId = sampleRunId(++count);
      return store.append(sampleAppend(runId, { count: 3, row: sampleRow(runId, { origin: 'import' }) }));
    },
    purge: () => store.purgeEnded({ endedBefore: ENDED_AT + 1, throughPosition: null, limit: 2 }),
    cursor: () => store.writeCursor({ name: 'memory', position: got.at(-1)?.position ?? 0 }),
  };
  for (const turn of turns) {
    await Promise.all(turn.map((one) => (one === 'read' ? null : perform[one]())));
    if (turn.includes('read')) await read();
  }
  await read();
  return got;
}

async function readAfter(store: SqliteRunStore, position: number): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  for (;;) {
    const page = await store.readAll({ afterPosition: entries.at(-1)?.position ?? position, limit: 3 });
    if (page.length === 0) return entries;
    entries.push(...page);
  }
}
