import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRunId } from '../support/sample-run.js';

const [ONE, TWO] = [sampleRunId(1), sampleRunId(2)];

export default function readChangesContract(harness: RunStoreHarness): void {
  const changes = (afterPosition = 0, limit = 9) => harness.store.readChanges({ afterPosition, limit });

  it('returns the runs that have entries, oldest first, with the positions that `readAll` has', async () => {
    await expect(changes()).resolves.toEqual([]);
    await harness.store.append(sampleAppend(ONE));
    await harness.store.append(sampleAppend(TWO));
    await harness.store.append(sampleAppend(ONE, { expectedSeq: 2 }));
    const entries = await harness.store.readAll({ afterPosition: 0, limit: 9 });
    await expect(changes()).resolves.toEqual(
      entries.map(({ position, runId }) => ({ position, runId, isPurged: false })),
    );
    expect((await changes()).map(({ runId }) => runId)).toEqual([ONE, TWO, ONE]);
  });

  it('continues after a position, with at most the limit', async () => {
    for (const runId of [ONE, TWO]) await harness.store.append(sampleAppend(runId));
    const [first] = await changes(0, 1);
    await expect(changes(0, 1)).resolves.toHaveLength(1);
    await expect(changes(first?.position)).resolves.toMatchObject([{ runId: TWO }]);
    await expect(changes(await harness.store.lastPosition())).resolves.toEqual([]);
  });

  it('says that a run was purged', async () => {
    await harness.store.append(sampleAppend(ONE, { row: endedRow(ONE, NOON) }));
    await harness.store.append(sampleAppend(TWO));
    await harness.store.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 1 });
    await expect(changes()).resolves.toMatchObject([
      { runId: TWO, isPurged: false },
      { runId: ONE, isPurged: true },
    ]);
  });
}
