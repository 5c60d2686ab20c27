import { StoreError } from '../../../../../errors/service-errors.js';
import type { ShardSet } from '../../../../ports/store/run-index.js';
import type { RunRow } from '../../../../ports/store/run-row.js';
import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow, sampleRunId } from '../support/sample-run.js';

const EXECUTING = sampleRunId(1, 0x03);
const PAUSED = sampleRunId(2, 0x03);
const ENDED = sampleRunId(3, 0x03);
const TIMER = sampleRunId(4, 0x03);
const BOTH = sampleRunId(5, 0xfe);

export default function listUnfinishedContract(harness: RunStoreHarness): void {
  const list = async (
    afterRunId: string | null,
    { lanes = null, limit = 100 }: { readonly lanes?: ShardSet | null; readonly limit?: number } = {},
  ): Promise<readonly string[]> =>
    (await harness.store.listUnfinished({ lanes, afterRunId, limit })).map(({ runId }) => runId);

  beforeEach(async () => {
    const rows: readonly RunRow[] = [
      sampleRow(BOTH, { openExecutions: 2, wakeAt: NOON }),
      sampleRow(EXECUTING, { openExecutions: 1 }),
      sampleRow(PAUSED, { status: 'paused' }),
      endedRow(ENDED, NOON + 1, { openExecutions: 1, wakeAt: NOON + 5 }),
      sampleRow(TIMER, { wakeAt: NOON + 5 }),
    ];
    for (const row of rows) await harness.store.append(sampleAppend(row.runId, { row }));
  });

  it('returns the runs that have open executions, by runId', async () => {
    await expect(list(null)).resolves.toEqual([EXECUTING, BOTH]);
  });

  it('returns whole rows', async () => {
    const [row] = await harness.store.listUnfinished({ lanes: null, afterRunId: null, limit: 1 });
    expect(row).toEqual(sampleRow(EXECUTING, { openExecutions: 1 }));
  });

  it('continues after a runId, whether that run is still there or not', async () => {
    await expect(list(EXECUTING)).resolves.toEqual([BOTH]);
    await expect(list(sampleRunId(1, 0x04))).resolves.toEqual([BOTH]);
    await expect(list(BOTH)).resolves.toEqual([]);
  });

  it('returns at most the limit', async () => {
    await expect(list(null, { limit: 1 })).resolves.toEqual([EXECUTING]);
  });

  it.each<readonly [string, ShardSet, readonly string[]]>([
    ['the one', { count: 4, lanes: [3] }, [EXECUTING]],
    ['the other', { count: 4, lanes: [2, 0] }, [BOTH]],
    ['both', { count: 4, lanes: [3, 2] }, [EXECUTING, BOTH]],
    ['neither', { count: 4, lanes: [0, 1] }, []],
  ])('keeps to the shards: %s', async (_which, lanes, runIds) => {
    await expect(list(null, { lanes })).resolves.toEqual(runIds);
  });

  it.each(['f', 'run-one', 'run-FF', 'run-é1'])(
    'takes the id %j, which ends in no byte of lower-case hex, for one of byte 0',
    async (runId) => {
      const append = async () =>
        harness.store.append(sampleAppend(runId, { row: sampleRow(runId, { openExecutions: 1 }) }));
      // A store may have no such ids: then it says so, and takes none.
      if (harness.store.acceptsRunId?.(runId) === false) {
        await expect(append()).rejects.toThrow(StoreError);
        return;
      }
      await append();
      await expect(list(null, { lanes: { count: 256, lanes: [0] } })).resolves.toEqual([runId]);
    },
  );

  it('follows a run as it stops and continues', async () => {
    const move = async (expectedSeq: number, row: RunRow): Promise<string> =>
      harness.store.append(sampleAppend(EXECUTING, { expectedSeq, row }));
    await move(2, endedRow(EXECUTING, NOON));
    await expect(list(null)).resolves.toEqual([BOTH]);
    await move(4, sampleRow(EXECUTING, { openExecutions: 1 }));
    await expect(list(null)).resolves.toEqual([EXECUTING, BOTH]);
    await move(6, sampleRow(EXECUTING));
    await expect(list(null)).resolves.toEqual([BOTH]);
  });
}
