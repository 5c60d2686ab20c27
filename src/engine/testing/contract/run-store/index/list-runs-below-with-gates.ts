import type { OpenGate } from '../../../../ports/store/gates.js';
import type { RunRow } from '../../../../ports/store/run-row.js';
import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow, sampleRunId } from '../support/sample-run.js';

const ROOT = sampleRunId(1);
const CHILD = sampleRunId(2);
const WITHOUT = sampleRunId(3);
const GRANDCHILD = sampleRunId(4);
const OVER = sampleRunId(5);
const BELOW_OVER = sampleRunId(6);
const ELSEWHERE = sampleRunId(7);
const GATE: OpenGate = { gateId: 3, unitId: 'sign', openedAt: NOON };
const below = (runId: string, parentRunId: string): RunRow => sampleRow(runId, { parentRunId });

/** A store may leave the method out: callers then go through the children. */
export default function listRunsBelowWithGatesContract(harness: RunStoreHarness): void {
  const list = async ({ afterRunId = null as string | null, limit = 100 } = {}): Promise<
    readonly string[]
  > => {
    const rows = await harness.store.listRunsBelowWithGates?.({ runId: ROOT, afterRunId, limit });
    return (rows ?? []).map(({ runId }) => runId);
  };
  const append = async (row: RunRow, openGates: readonly OpenGate[] | null): Promise<unknown> =>
    harness.store.append(sampleAppend(row.runId, { row, openGates }));

  beforeEach(async () => {
    await append(sampleRow(ROOT), [GATE]);
    await append(below(GRANDCHILD, WITHOUT), [GATE, { ...GATE, gateId: 4 }]);
    await append(below(CHILD, ROOT), [GATE]);
    await append(below(WITHOUT, ROOT), null);
    await append(endedRow(OVER, NOON + 1, { parentRunId: ROOT }), null);
    await append(below(BELOW_OVER, OVER), [GATE]);
    await append(sampleRow(ELSEWHERE), [GATE]);
  });

  it('returns those at any depth that have one, by runId, each once, and none below a run that is over', async () => {
    if (harness.store.listRunsBelowWithGates === undefined) return;
    await expect(list()).resolves.toEqual([CHILD, GRANDCHILD]);
  });

  it('returns page by page, in whole rows', async () => {
    if (harness.store.listRunsBelowWithGates === undefined) return;
    await expect(list({ limit: 1 })).resolves.toEqual([CHILD]);
    await expect(list({ afterRunId: CHILD })).resolves.toEqual([GRANDCHILD]);
    const request = { runId: WITHOUT, afterRunId: null, limit: 1 };
    const [row] = await harness.store.listRunsBelowWithGates(request);
    expect(row).toEqual(below(GRANDCHILD, WITHOUT));
  });

  it('returns none where the last of them was decided', async () => {
    if (harness.store.listRunsBelowWithGates === undefined) return;
    await harness.store.append(
      sampleAppend(CHILD, { expectedSeq: 2, row: below(CHILD, ROOT), openGates: [] }),
    );
    await expect(list()).resolves.toEqual([GRANDCHILD]);
  });
}
