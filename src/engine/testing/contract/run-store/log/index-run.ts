import type { RunStoreHarness } from '../support/contract.js';
import { NOON, sampleAppend, sampleRunId } from '../support/sample-run.js';

const RUN = sampleRunId(1);
const GATE = { gateId: 1, unitId: 'sign', openedAt: NOON };

/** The tests of the adapter cover what an older version wrote. */
export default function indexRunContract(harness: RunStoreHarness): void {
  it('has nothing to do in a store that this version made', async () => {
    await harness.store.append(sampleAppend(RUN));
    await harness.store.append(sampleAppend(sampleRunId(2), { openGates: [GATE] }));
    await expect(harness.store.listUnindexed({ limit: 10 })).resolves.toEqual([]);
  });

  it('does nothing to a run that is indexed: its appends know better', async () => {
    await harness.store.append(sampleAppend(RUN, { openGates: [GATE] }));
    await harness.store.indexRun({ runId: RUN, openGates: [] });
    await expect(harness.store.listOpenGates({ runId: RUN })).resolves.toEqual([GATE]);
  });

  it('does nothing to a run that does not exist', async () => {
    await harness.store.indexRun({ runId: RUN, openGates: [GATE] });
    await expect(harness.store.listOpenGates({ runId: RUN })).resolves.toEqual([]);
    await expect(harness.store.readRow({ runId: RUN })).resolves.toBeNull();
  });
}
