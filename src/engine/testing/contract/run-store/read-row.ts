import type { RunStoreHarness } from './support/contract.js';
import { NOON, sampleAppend, sampleRow } from './support/sample-run.js';

export default function readRowContract(harness: RunStoreHarness): void {
  it('answers null for a run that does not exist', async () => {
    await expect(harness.store.readRow({ runId: 'a' })).resolves.toBeNull();
  });

  it('answers the row of the last append with every field', async () => {
    const identity = { workflowId: 'Zażółć / "x" \' %', definitionHash: 'h2', createdAt: NOON - 7 };
    const row = sampleRow('a', {
      ...identity,
      status: 'failed',
      updatedAt: NOON + 5,
      endedAt: NOON + 5,
      openExecutions: 3,
      wakeAt: NOON + 7,
    });
    await harness.store.append(sampleAppend('a', { row: sampleRow('a', identity) }));
    await harness.store.append(sampleAppend('a', { expectedSeq: 2, row }));
    await expect(harness.store.readRow({ runId: 'a' })).resolves.toEqual(row);
  });
}
