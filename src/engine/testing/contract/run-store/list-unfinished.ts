import type { RunRow } from '../../../ports/run-store.js';
import type { RunStoreHarness } from './support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow } from './support/sample-run.js';

export default function listUnfinishedContract(harness: RunStoreHarness): void {
  const list = async (afterRunId: string | null, limit = 100): Promise<readonly string[]> =>
    (await harness.store.listUnfinished({ afterRunId, limit })).map(({ runId }) => runId);

  beforeEach(async () => {
    const rows: readonly RunRow[] = [
      sampleRow('d-timer', { wakeAt: NOON + 5 }),
      sampleRow('a-executing', { openExecutions: 1 }),
      sampleRow('b-waits-for-a-person', { status: 'paused' }),
      endedRow('c-ended', NOON + 1, { openExecutions: 1, wakeAt: NOON + 5 }),
      sampleRow('e-both', { openExecutions: 2, wakeAt: NOON }),
    ];
    for (const row of rows) await harness.store.append(sampleAppend(row.runId, { row }));
  });

  it('answers the runs that move by themselves, by runId', async () => {
    await expect(list(null)).resolves.toEqual(['a-executing', 'd-timer', 'e-both']);
  });

  it('goes on after a runId, whether that run is still there or not', async () => {
    await expect(list('a-executing')).resolves.toEqual(['d-timer', 'e-both']);
    await expect(list('d')).resolves.toEqual(['d-timer', 'e-both']);
    await expect(list('e-both')).resolves.toEqual([]);
  });

  it('answers at most the limit', async () => {
    await expect(list(null, 2)).resolves.toEqual(['a-executing', 'd-timer']);
  });

  it('follows a run as it stops and moves again', async () => {
    await harness.store.append(
      sampleAppend('a-executing', { expectedSeq: 2, row: endedRow('a-executing', NOON) }),
    );
    await harness.store.append(sampleAppend('d-timer', { expectedSeq: 2, row: sampleRow('d-timer') }));
    await expect(list(null)).resolves.toEqual(['e-both']);
    const row = sampleRow('a-executing', { openExecutions: 1 });
    await harness.store.append(sampleAppend('a-executing', { expectedSeq: 4, row }));
    await expect(list(null)).resolves.toEqual(['a-executing', 'e-both']);
  });
}
