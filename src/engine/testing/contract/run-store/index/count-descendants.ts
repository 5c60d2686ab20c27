import type { RunRow } from '../../../../ports/store/run-row.js';
import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow, sampleRunId } from '../support/sample-run.js';

const ROOT = sampleRunId(1);
const CHILD = sampleRunId(2);
const ENDED = sampleRunId(3);
const GRANDCHILD = sampleRunId(4);
const OTHERS = sampleRunId(5);
const ORPHAN = sampleRunId(6);
const GONE = sampleRunId(7);

const child = (parentRunId: string, changes: Partial<RunRow> = {}): Partial<RunRow> => ({
  parentRunId,
  origin: 'child',
  ...changes,
});

export default function countDescendantsContract(harness: RunStoreHarness): void {
  const count = (rootRunId: string, atMost = 100): Promise<number> =>
    harness.store.countDescendants({ rootRunId, atMost });
  const root = (runId: string): Promise<string> => harness.store.readRoot({ runId });
  const add = (row: RunRow) => harness.store.append(sampleAppend(row.runId, { row }));
  const end = (runId: string, parentRunId: string) =>
    harness.store.append(
      sampleAppend(runId, { expectedSeq: 2, row: endedRow(runId, NOON + 1, child(parentRunId)) }),
    );

  beforeEach(async () => {
    await add(sampleRow(ROOT));
    await add(sampleRow(CHILD, child(ROOT)));
    await add(endedRow(ENDED, NOON + 1, child(ROOT)));
    await add(sampleRow(GRANDCHILD, child(CHILD, { status: 'paused' })));
  });

  it('counts the children that have not ended, and their children, up to the requested count', async () => {
    await expect(count(ROOT)).resolves.toBe(2);
    await expect(count(ROOT, 1)).resolves.toBe(1);
    await expect(count(CHILD)).resolves.toBe(0);
    await expect(count(GONE)).resolves.toBe(0);
  });

  it('follows a run as it ends and continues again', async () => {
    await end(CHILD, ROOT);
    await expect(count(ROOT)).resolves.toBe(1);
    await harness.store.append(sampleAppend(CHILD, { expectedSeq: 4, row: sampleRow(CHILD, child(ROOT)) }));
    await expect(count(ROOT)).resolves.toBe(2);
  });

  it('knows the root of every generation, that of a run which is nobody\u2019s child is the run', async () => {
    await expect(Promise.all([ROOT, CHILD, ENDED, GRANDCHILD].map(root))).resolves.toEqual([
      ROOT,
      ROOT,
      ROOT,
      ROOT,
    ]);
    await expect(root(GONE)).resolves.toBe(GONE);
  });

  it('keeps the root of a child whose parents are gone, also for its own children', async () => {
    for (const [runId, parentRunId] of [
      [CHILD, ROOT],
      [ENDED, ROOT],
    ] as const) {
      if (runId === CHILD) await end(runId, parentRunId);
    }
    await harness.store.append(sampleAppend(ROOT, { expectedSeq: 2, row: endedRow(ROOT, NOON + 1) }));
    await harness.store.purgeEnded({ endedBefore: NOON + 9, throughPosition: null, limit: 9 });
    await expect(harness.store.readRow({ runId: CHILD })).resolves.toBeNull();
    await add(sampleRow(OTHERS, child(GRANDCHILD)));
    await expect(root(OTHERS)).resolves.toBe(ROOT);
    await expect(count(ROOT)).resolves.toBe(2);
  });

  it('takes the parent for the root of a child whose parent is not there', async () => {
    await add(sampleRow(ORPHAN, child(GONE)));
    await expect(root(ORPHAN)).resolves.toBe(GONE);
    await expect(count(GONE)).resolves.toBe(1);
  });

  it('counts no forks of children and no children from elsewhere', async () => {
    await add(sampleRow(OTHERS, { origin: 'fork', forkedFrom: CHILD }));
    await add(sampleRow(ORPHAN, { origin: 'import', parentRunId: ROOT }));
    await expect(count(ROOT)).resolves.toBe(2);
    await expect(root(ORPHAN)).resolves.toBe(ORPHAN);
  });
}
