import type { RunRow } from '../../../../ports/store/run-row.js';
import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow, sampleRunId } from '../support/sample-run.js';

const PARENT = sampleRunId(1);
const FIRST = sampleRunId(2);
const SECOND = sampleRunId(3);
const ENDED = sampleRunId(4);
const OTHERS = sampleRunId(5);
const childRow = (runId: string, changes: Partial<RunRow> = {}): RunRow =>
  sampleRow(runId, { parentRunId: PARENT, ...changes });

export default function listChildrenContract(harness: RunStoreHarness): void {
  const list = async (
    parentRunId: string,
    { afterRunId = null as string | null, limit = 100 } = {},
  ): Promise<readonly string[]> =>
    (await harness.store.listChildren({ parentRunId, afterRunId, limit })).map(({ runId }) => runId);

  beforeEach(async () => {
    const rows = [
      childRow(SECOND, { status: 'paused' }),
      childRow(FIRST, { openExecutions: 1 }),
      sampleRow(PARENT),
      endedRow(ENDED, NOON + 1, { parentRunId: PARENT }),
      sampleRow(OTHERS, { parentRunId: FIRST }),
    ];
    for (const row of rows) await harness.store.append(sampleAppend(row.runId, { row }));
  });

  it('returns the children that have not ended, by runId, and no children of other runs', async () => {
    await expect(list(PARENT)).resolves.toEqual([FIRST, SECOND]);
    await expect(list(FIRST)).resolves.toEqual([OTHERS]);
    await expect(list(SECOND)).resolves.toEqual([]);
  });

  it('returns whole rows, as every other read does', async () => {
    const [row] = await harness.store.listChildren({ parentRunId: PARENT, afterRunId: null, limit: 1 });
    expect(row).toEqual(childRow(FIRST, { openExecutions: 1 }));
    await expect(harness.store.readRow({ runId: FIRST })).resolves.toEqual(row);
  });

  it('continues after a runId, and returns at most the limit', async () => {
    await expect(list(PARENT, { afterRunId: FIRST })).resolves.toEqual([SECOND]);
    await expect(list(PARENT, { limit: 1 })).resolves.toEqual([FIRST]);
  });

  it('follows a child as it ends and continues again; its parent stays permanently', async () => {
    const row = endedRow(FIRST, NOON + 1, { parentRunId: PARENT });
    await harness.store.append(sampleAppend(FIRST, { expectedSeq: 2, row }));
    await expect(list(PARENT)).resolves.toEqual([SECOND]);
    await harness.store.append(sampleAppend(FIRST, { expectedSeq: 4, row: sampleRow(FIRST) }));
    await expect(list(PARENT)).resolves.toEqual([FIRST, SECOND]);
    await expect(harness.store.readRow({ runId: FIRST })).resolves.toMatchObject({ parentRunId: PARENT });
  });

  it('forgets those that were purged', async () => {
    await harness.store.purgeEnded({ endedBefore: NOON + 9, throughPosition: null, limit: 9 });
    await expect(list(PARENT)).resolves.toEqual([FIRST, SECOND]);
    const row = endedRow(FIRST, NOON + 1, { parentRunId: PARENT });
    await harness.store.append(sampleAppend(FIRST, { expectedSeq: 2, row }));
    await harness.store.purgeEnded({ endedBefore: NOON + 9, throughPosition: null, limit: 9 });
    await expect(list(PARENT)).resolves.toEqual([SECOND]);
  });
}
