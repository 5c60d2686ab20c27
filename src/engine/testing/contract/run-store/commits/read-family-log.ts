import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow, sampleRunId } from '../support/sample-run.js';

const PARENT = sampleRunId(1);
const CHILD = sampleRunId(2);
const NOBODY = sampleRunId(3);

export default function readFamilyLogContract(harness: RunStoreHarness): void {
  const read = (afterPosition = 0, limit = 100) => harness.store.readFamilyLog({ afterPosition, limit });
  const runIds = async (...page: readonly number[]): Promise<readonly string[]> =>
    (await read(...page)).map(({ runId }) => runId);
  const childRow = endedRow(CHILD, NOON, { parentRunId: PARENT });

  beforeEach(async () => {
    await harness.store.append(sampleAppend(PARENT));
    await harness.store.append(
      sampleAppend(CHILD, { row: sampleRow(CHILD, { parentRunId: PARENT }), concernsFamily: true }),
    );
    await harness.store.append(sampleAppend(NOBODY));
    await harness.store.append(sampleAppend(CHILD, { expectedSeq: 2, row: childRow, concernsFamily: true }));
    await harness.store.append(sampleAppend(PARENT, { expectedSeq: 2, concernsFamily: true }));
  });

  it('returns the appends that said so, in their order, by their positions in the log of all runs', async () => {
    await expect(runIds()).resolves.toEqual([CHILD, CHILD, PARENT]);
    const log = await harness.store.readAll({ afterPosition: 0, limit: 9 });
    const positions = (await read()).map(({ position }) => position);
    expect(positions).toEqual([log[1]?.position, log[3]?.position, log[4]?.position]);
  });

  it('continues after a position, and returns at most the limit', async () => {
    const [first] = await read();
    await expect(runIds(first!.position)).resolves.toEqual([CHILD, PARENT]);
    await expect(runIds(first!.position, 1)).resolves.toEqual([CHILD]);
  });

  it('has nothing of an append that was refused', async () => {
    const refused = sampleAppend(CHILD, { expectedSeq: 2, row: childRow, concernsFamily: true });
    expect(await harness.store.append(refused)).toBe('conflict');
    await expect(runIds()).resolves.toEqual([CHILD, CHILD, PARENT]);
  });

  it('forgets what was dropped, and nothing later', async () => {
    const [, second] = await read();
    await harness.store.dropFamilyLog({ throughPosition: second!.position });
    await expect(runIds()).resolves.toEqual([PARENT]);
    await harness.store.dropFamilyLog({ throughPosition: second!.position });
    await expect(runIds()).resolves.toEqual([PARENT]);
  });

  it('keeps a run from being purged until its entries were dropped', async () => {
    const purge = () => harness.store.purgeEnded({ endedBefore: NOON + 9, throughPosition: null, limit: 9 });
    await expect(purge()).resolves.toEqual([]);
    await harness.store.dropFamilyLog({ throughPosition: await harness.store.lastPosition() });
    await expect(purge()).resolves.toEqual([CHILD]);
    await expect(runIds()).resolves.toEqual([]);
  });
}
