import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRunId } from '../support/sample-run.js';

export default function lastPositionContract(harness: RunStoreHarness): void {
  const newest = async (): Promise<number | undefined> =>
    (await harness.store.readAll({ afterPosition: 0, limit: 99 })).at(-1)?.position;

  it('is 0 for an empty store', async () => {
    await expect(harness.store.lastPosition()).resolves.toBe(0);
  });

  it('is that of the newest entry: an append, or a tombstone', async () => {
    await harness.store.append(sampleAppend(sampleRunId(1), { row: endedRow(sampleRunId(1), NOON) }));
    await harness.store.append(sampleAppend(sampleRunId(2)));
    const afterAppends = await harness.store.lastPosition();
    expect(afterAppends).toBe(await newest());
    await harness.store.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 1 });
    const afterPurge = await harness.store.lastPosition();
    expect(afterPurge).toBe(await newest());
    expect(afterPurge).toBeGreaterThan(afterAppends);
  });

  it('is no longer that of a tombstone that was dropped', async () => {
    await harness.store.append(sampleAppend(sampleRunId(1)));
    const position = await harness.store.lastPosition();
    await harness.store.append(sampleAppend(sampleRunId(2), { row: endedRow(sampleRunId(2), NOON) }));
    await harness.store.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 1 });
    await harness.store.dropTombstones({ throughPosition: await harness.store.lastPosition() });
    await expect(harness.store.lastPosition()).resolves.toBe(position);
  });
}
