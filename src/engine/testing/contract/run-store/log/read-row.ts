import type { RunStoreHarness } from '../support/contract.js';
import { NOON, sampleAppend, sampleRow, sampleRunId } from '../support/sample-run.js';

const RUN = sampleRunId(1);

export default function readRowContract(harness: RunStoreHarness): void {
  it('returns null for a run that does not exist', async () => {
    await expect(harness.store.readRow({ runId: RUN })).resolves.toBeNull();
  });

  it('returns the row of the last append with every field', async () => {
    const identity = {
      namespace: 'acme',
      workflowId: 'Zażółć / "x" \' %',
      definitionHash: 'h2',
      createdAt: NOON - 7,
    };
    const row = sampleRow(RUN, {
      ...identity,
      status: 'failed',
      updatedAt: NOON + 5,
      endedAt: NOON + 5,
      openExecutions: 3,
      wakeAt: NOON + 7,
      lastSeq: 4,
      compensation: { status: 'failed', done: 3, failed: 1, unknown: 2 },
    });
    await harness.store.append(sampleAppend(RUN, { row: sampleRow(RUN, identity) }));
    await harness.store.append(sampleAppend(RUN, { expectedSeq: 2, row }));
    await expect(harness.store.readRow({ runId: RUN })).resolves.toEqual(row);
  });

  it('keeps namespace, workflow, definition and creation of the first append permanently', async () => {
    await harness.store.append(sampleAppend(RUN));
    const changed = { namespace: 'acme', workflowId: 'w', definitionHash: 'h', createdAt: 1 };
    await harness.store.append(
      sampleAppend(RUN, { expectedSeq: 2, row: sampleRow(RUN, { ...changed, status: 'paused' }) }),
    );
    await expect(harness.store.readRow({ runId: RUN })).resolves.toEqual(
      sampleRow(RUN, { status: 'paused', lastSeq: 4 }),
    );
    const [, second] = await harness.store.readAll({ afterPosition: 0, limit: 2 });
    expect(second).toMatchObject({ namespace: 'default', workflowId: 'invoices' });
  });
}
