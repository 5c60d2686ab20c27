import type { RunStoreHarness } from '../support/contract.js';
import { sampleRunId } from '../support/sample-run.js';

const runId = sampleRunId(1);

/** What a death leaves behind (promise 7) is shown by the tests of the adapter that promises it. */
export default function markAtRiskContract(harness: RunStoreHarness): void {
  it('leaves nothing behind in a store that is new, whichever shards are asked for', async () => {
    for (const shards of [null, { count: 64, lanes: [1] }, { count: 64, lanes: [] }])
      await expect(harness.store.deathsLeftBehind({ shards })).resolves.toEqual([]);
  });

  it('does not show in the process that marks', async () => {
    await harness.store.markAtRisk({ runId, doing: 'turn', lastSeq: 1 });
    for (const shards of [null, { count: 64, lanes: [1] }])
      await expect(harness.store.deathsLeftBehind({ shards })).resolves.toEqual([]);
  });

  it('takes what never began, what continues, and what begins again', async () => {
    await harness.store.markAtRisk({ runId, doing: 'turn', lastSeq: null });
    for (const lastSeq of [1, 1, 2, null, 3, null])
      await harness.store.markAtRisk({ runId, doing: 'turn', lastSeq });
    await expect(harness.store.check({ deep: true })).resolves.toBeUndefined();
  });

  it('is ignored once the store is closed', async () => {
    await harness.store.close();
    expect(() => harness.store.markAtRisk({ runId, doing: 'turn', lastSeq: 1 })).not.toThrow();
    await harness.store.markAtRisk({ runId, doing: 'load', lastSeq: null });
  });
}
