import type { ShardSet } from '../../../../ports/store/run-index.js';
import type { RunRow } from '../../../../ports/store/run-row.js';
import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow, sampleRunId } from '../support/sample-run.js';

const LATER = sampleRunId(1, 0x01);
const FIRST = sampleRunId(4, 0x04);
const SECOND = sampleRunId(2, 0x07);
const THIRD = sampleRunId(3, 0xff);

export default function listDueContract(harness: RunStoreHarness): void {
  const list = async (
    before: number,
    { after = null, lanes = null, limit = 100 }: Partial<Parameters<typeof harness.store.listDue>[0]> = {},
  ): Promise<readonly string[]> =>
    (await harness.store.listDue({ lanes, before, after, limit })).map(({ runId }) => runId);

  beforeEach(async () => {
    const rows: readonly RunRow[] = [
      sampleRow(LATER, { wakeAt: NOON + 5 }),
      sampleRow(SECOND, { wakeAt: NOON, status: 'paused' }),
      sampleRow(THIRD, { wakeAt: NOON, openExecutions: 1 }),
      sampleRow(FIRST, { wakeAt: NOON - 1 }),
      sampleRow(sampleRunId(5), { openExecutions: 1 }),
      endedRow(sampleRunId(6), NOON, { wakeAt: NOON - 9 }),
    ];
    for (const row of rows) await harness.store.append(sampleAppend(row.runId, { row }));
  });

  it('returns those whose instant has come, by instant, then runId', async () => {
    await expect(list(NOON)).resolves.toEqual([FIRST, SECOND, THIRD]);
    await expect(list(NOON - 2)).resolves.toEqual([]);
    await expect(list(Number.MAX_SAFE_INTEGER)).resolves.toEqual([FIRST, SECOND, THIRD, LATER]);
  });

  it('returns whole rows', async () => {
    const [row] = await harness.store.listDue({ lanes: null, before: NOON, after: null, limit: 1 });
    expect(row).toEqual(sampleRow(FIRST, { wakeAt: NOON - 1 }));
  });

  it('continues after an instant and a runId, and returns at most the limit', async () => {
    const seen: string[] = [];
    let after: { readonly wakeAt: number; readonly runId: string } | null = null;
    for (;;) {
      const page: readonly RunRow[] = await harness.store.listDue({
        lanes: null,
        before: NOON + 5,
        after,
        limit: 1,
      });
      const [row] = page;
      if (row === undefined) break;
      seen.push(row.runId);
      after = { wakeAt: row.wakeAt!, runId: row.runId };
    }
    expect(seen).toEqual([FIRST, SECOND, THIRD, LATER]);
    await expect(list(NOON, { after: { wakeAt: NOON, runId: SECOND } })).resolves.toEqual([THIRD]);
  });

  it.each<readonly [string, ShardSet, readonly string[]]>([
    ['all', { count: 3, lanes: [0, 1, 2] }, [FIRST, SECOND, THIRD, LATER]],
    ['some', { count: 3, lanes: [0] }, [THIRD]],
    ['others', { count: 3, lanes: [1, 2] }, [FIRST, SECOND, LATER]],
    ['one of 256', { count: 256, lanes: [0xff] }, [THIRD]],
    ['none', { count: 3, lanes: [] }, []],
  ])('keeps to the shards: %s', async (_which, lanes, runIds) => {
    await expect(list(NOON + 5, { lanes })).resolves.toEqual(runIds);
  });

  it('follows a run as its instant moves, goes and comes back', async () => {
    const move = async (expectedSeq: number, row: RunRow): Promise<string> =>
      harness.store.append(sampleAppend(FIRST, { expectedSeq, row }));
    await move(2, sampleRow(FIRST, { wakeAt: NOON + 7 }));
    await expect(list(NOON + 9)).resolves.toEqual([SECOND, THIRD, LATER, FIRST]);
    await move(4, sampleRow(FIRST));
    await expect(list(NOON + 9)).resolves.toEqual([SECOND, THIRD, LATER]);
    await move(6, endedRow(FIRST, NOON));
    await move(8, sampleRow(FIRST, { wakeAt: NOON + 1 }));
    await expect(list(NOON + 9)).resolves.toEqual([SECOND, THIRD, FIRST, LATER]);
  });
}
