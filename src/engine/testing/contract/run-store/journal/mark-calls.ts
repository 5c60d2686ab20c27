import type { RunStoreHarness } from '../support/contract.js';
import { sampleRunId } from '../support/sample-run.js';

const CALL = { runId: sampleRunId(1), executionId: 3, attempt: 1 };

/** What a death leaves behind (promise 6) is shown by the tests of the adapter that promises it. */
export default function markCallsContract(harness: RunStoreHarness): void {
  it('leaves nothing behind in a store that is new', async () => {
    await expect(harness.store.callsLeftBehind()).resolves.toEqual([]);
  });

  it('does not show in the process that marks them', async () => {
    harness.store.markCalls({ begun: [CALL], ended: [] });
    await expect(harness.store.callsLeftBehind()).resolves.toEqual([]);
  });

  it('takes what was never begun, what begins twice, and nothing', async () => {
    harness.store.markCalls({ begun: [], ended: [CALL] });
    harness.store.markCalls({ begun: [CALL, CALL], ended: [] });
    harness.store.markCalls({ begun: [CALL], ended: [CALL] });
    harness.store.markCalls({ begun: [], ended: [] });
    await expect(harness.store.check({ deep: true })).resolves.toBeUndefined();
  });

  it('is ignored once the store is closed: a late outcome may still say that its call is over', async () => {
    await harness.store.close();
    expect(() => harness.store.markCalls({ begun: [], ended: [CALL] })).not.toThrow();
  });
}
