import type { RunRow } from '../../../../ports/store/run-row.js';
import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow, sampleRunId } from '../support/sample-run.js';

export default function countStandingContract(harness: RunStoreHarness): void {
  it('returns nothing but zeros of an empty store', async () => {
    await expect(harness.store.countStanding()).resolves.toEqual({
      pending: 0,
      running: 0,
      paused: 0,
      openGates: 0,
    });
  });

  it('counts the runs of all namespaces that have not ended, and the gates that wait', async () => {
    const rows: readonly RunRow[] = [
      sampleRow(sampleRunId(1)),
      sampleRow(sampleRunId(2), { namespace: 'acme' }),
      sampleRow(sampleRunId(3), { namespace: 'zoo', status: 'paused' }),
      sampleRow(sampleRunId(4), { status: 'pending' }),
      endedRow(sampleRunId(5), NOON),
      endedRow(sampleRunId(6), NOON, { status: 'failed' }),
    ];
    for (const row of rows) await harness.store.append(sampleAppend(row.runId, { row }));
    const gate = (gateId: number) => ({ gateId, unitId: 'sign', openedAt: NOON });
    await harness.store.append(
      sampleAppend(sampleRunId(3), { expectedSeq: 2, row: rows[2]!, openGates: [gate(1), gate(2)] }),
    );
    await expect(harness.store.countStanding()).resolves.toEqual({
      pending: 1,
      running: 2,
      paused: 1,
      openGates: 2,
    });
  });
}
