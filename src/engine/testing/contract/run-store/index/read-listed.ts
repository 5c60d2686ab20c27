import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow, sampleRunId } from '../support/sample-run.js';

const RUN = sampleRunId(1);
const GATE = { gateId: 1, unitId: 'sign', openedAt: NOON };

export default function readListedContract(harness: RunStoreHarness): void {
  it('returns null for a run that does not exist', async () => {
    await expect(harness.store.readListed({ runId: RUN })).resolves.toBeNull();
  });

  it('returns the row with its labels and open gates', async () => {
    const labels = { team: 'blue', a: '' };
    await harness.store.append(sampleAppend(RUN, { labels, openGates: [GATE] }));
    await expect(harness.store.readListed({ runId: RUN })).resolves.toEqual({
      row: sampleRow(RUN),
      labels,
      openGates: [GATE],
    });
    await harness.store.append(sampleAppend(RUN, { expectedSeq: 2, row: endedRow(RUN, NOON) }));
    await expect(harness.store.readListed({ runId: RUN })).resolves.toMatchObject({ labels, openGates: [] });
  });

  it('returns what became of what the run did, as each append says, also where nothing else of it changes', async () => {
    const compensations = [
      { status: 'owed', done: 0, failed: 0, unknown: 0 },
      { status: 'running', done: 1, failed: 0, unknown: 0 },
      null,
    ] as const;
    for (const [index, compensation] of compensations.entries()) {
      const row = sampleRow(RUN, { compensation });
      await harness.store.append(sampleAppend(RUN, { expectedSeq: 2 * index, row }));
      await expect(harness.store.readListed({ runId: RUN })).resolves.toMatchObject({
        row: { compensation },
      });
    }
  });

  it('returns nothing of a run that was purged', async () => {
    await harness.store.append(sampleAppend(RUN, { row: endedRow(RUN, NOON), labels: { a: 'b' } }));
    await harness.store.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 1 });
    await expect(harness.store.readListed({ runId: RUN })).resolves.toBeNull();
  });
}
