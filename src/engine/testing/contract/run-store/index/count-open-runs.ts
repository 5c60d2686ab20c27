import type { RunRow } from '../../../../ports/store/run-row.js';
import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow, sampleRunId } from '../support/sample-run.js';

export default function countOpenRunsContract(harness: RunStoreHarness): void {
  const count = (namespace: string, atMost = 100): Promise<number> =>
    harness.store.countOpenRuns({ namespace, atMost });
  const add = (row: RunRow) => harness.store.append(sampleAppend(row.runId, { row }));

  beforeEach(async () => {
    const rows: readonly RunRow[] = [
      sampleRow(sampleRunId(1)),
      sampleRow(sampleRunId(2), { status: 'paused' }),
      sampleRow(sampleRunId(3), { status: 'pending' }),
      endedRow(sampleRunId(4), NOON),
      endedRow(sampleRunId(5), NOON, { status: 'failed' }),
      sampleRow(sampleRunId(6), { namespace: 'acme' }),
    ];
    for (const row of rows) await add(row);
  });

  it('counts the runs of one namespace that have not ended', async () => {
    await expect(count('default')).resolves.toBe(3);
    await expect(count('acme')).resolves.toBe(1);
    await expect(count('zoo')).resolves.toBe(0);
  });

  it('counts to the bound that it is given', async () => {
    await expect(count('default', 2)).resolves.toBe(2);
  });

  it('counts a run no more once it has ended', async () => {
    const runId = sampleRunId(2);
    await harness.store.append(sampleAppend(runId, { expectedSeq: 2, row: endedRow(runId, NOON + 1) }));
    await expect(count('default')).resolves.toBe(2);
  });
}
