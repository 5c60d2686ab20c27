import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRunId } from '../support/sample-run.js';

const [FIRST, SECOND, LIVE] = [1, 2, 3].map((index) => sampleRunId(index)) as [string, string, string];

export default function dropTombstonesContract(harness: RunStoreHarness): void {
  const log = async (): Promise<readonly string[]> =>
    (await harness.store.readAll({ afterPosition: 0, limit: 99 })).map(
      ({ kind, runId }) => `${kind} ${runId}`,
    );

  beforeEach(async () => {
    await harness.store.append(sampleAppend(FIRST, { row: endedRow(FIRST, NOON) }));
    await harness.store.append(sampleAppend(SECOND, { row: endedRow(SECOND, NOON + 1) }));
    await harness.store.append(sampleAppend(LIVE));
    await harness.store.purgeEnded({ endedBefore: NOON + 9, throughPosition: null, limit: 9 });
  });

  it('forgets those at or before the position, and no append', async () => {
    const tombstone = (await harness.store.readAll({ afterPosition: 0, limit: 99 })).find(
      ({ runId }) => runId === FIRST,
    );
    await harness.store.dropTombstones({ throughPosition: tombstone!.position });
    await expect(log()).resolves.toEqual([`appended ${LIVE}`, `purged ${SECOND}`]);
    await harness.store.dropTombstones({ throughPosition: Number.MAX_SAFE_INTEGER });
    await expect(log()).resolves.toEqual([`appended ${LIVE}`]);
  });

  it('leaves those that come later, and can be called twice', async () => {
    await harness.store.dropTombstones({ throughPosition: 0 });
    await harness.store.dropTombstones({ throughPosition: 0 });
    await expect(log()).resolves.toHaveLength(3);
  });

  it('gives no position of a dropped one again (promise 4)', async () => {
    const last = await harness.store.lastPosition();
    await harness.store.dropTombstones({ throughPosition: last });
    await harness.store.append(sampleAppend(sampleRunId(4)));
    await expect(harness.store.lastPosition()).resolves.toBeGreaterThan(last);
  });
}
