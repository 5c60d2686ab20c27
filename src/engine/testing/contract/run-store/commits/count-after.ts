import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRunId } from '../support/sample-run.js';

const ENDED = sampleRunId(9);

export default function countAfterContract(harness: RunStoreHarness): void {
  const count = (position = 0, atMost = 99): Promise<number> =>
    harness.store.countAfter({ position, atMost });
  const positions = async (): Promise<readonly number[]> =>
    (await harness.store.readAll({ afterPosition: 0, limit: 99 })).map(({ position }) => position);

  it('is 0 for an empty store, and at the end of any', async () => {
    await expect(count()).resolves.toBe(0);
    await harness.store.append(sampleAppend(sampleRunId(1)));
    await expect(count(await harness.store.lastPosition())).resolves.toBe(0);
  });

  it('is how many entries come after the position, whatever lies between their positions', async () => {
    for (let index = 1; index <= 4; index += 1) await harness.store.append(sampleAppend(sampleRunId(index)));
    const counted = await Promise.all((await positions()).map((position) => count(position)));
    expect(counted).toEqual([3, 2, 1, 0]);
    await expect(count()).resolves.toBe(4);
  });

  it('counts up to the limit', async () => {
    for (let index = 1; index <= 4; index += 1) await harness.store.append(sampleAppend(sampleRunId(index)));
    await expect(count(0, 3)).resolves.toBe(3);
    await expect(count(0, 4)).resolves.toBe(4);
  });

  it('counts a tombstone until it is dropped', async () => {
    await harness.store.append(sampleAppend(ENDED, { row: endedRow(ENDED, NOON) }));
    await harness.store.append(sampleAppend(sampleRunId(1)));
    const position = await harness.store.lastPosition();
    await harness.store.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 1 });
    await expect(count(position)).resolves.toBe(1);
    await harness.store.dropTombstones({ throughPosition: await harness.store.lastPosition() });
    await expect(count(position)).resolves.toBe(0);
  });

  it('is 0 after a position that is not reached yet', async () => {
    await harness.store.append(sampleAppend(sampleRunId(1)));
    await expect(count((await harness.store.lastPosition()) + 5)).resolves.toBe(0);
  });
}
