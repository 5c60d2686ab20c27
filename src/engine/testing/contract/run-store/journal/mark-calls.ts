import type { RunStoreHarness } from '../support/contract.js';
import { sampleRunId } from '../support/sample-run.js';

const CALL = { runId: sampleRunId(1), executionId: 3, attempt: 1 };

/** What a death leaves behind (promise 6) is shown by the tests of the adapter that promises it. */
export default function markCallsContract(harness: RunStoreHarness): void {
  it('leaves nothing behind in a store that is new, whichever shards are asked for', async () => {
    for (const shards of [null, { count: 64, lanes: [1] }, { count: 64, lanes: [] }])
      await expect(harness.store.callsLeftBehind({ shards })).resolves.toEqual([]);
  });

  it('does not show in the process that marks them', async () => {
    await harness.store.markCalls({ begun: [CALL], ended: [] });
    for (const shards of [null, { count: 64, lanes: [1] }])
      await expect(harness.store.callsLeftBehind({ shards })).resolves.toEqual([]);
  });

  it('takes what was never begun, what begins twice, and nothing', async () => {
    await harness.store.markCalls({ begun: [], ended: [CALL] });
    await harness.store.markCalls({ begun: [CALL, CALL], ended: [] });
    await harness.store.markCalls({ begun: [CALL], ended: [CALL] });
    await harness.store.markCalls({ begun: [], ended: [] });
    await expect(harness.store.check({ deep: true })).resolves.toBeUndefined();
  });

  it('need not be waited for', async () => {
    for (let attempt = 1; attempt <= 50; attempt += 1) {
      void harness.store.markCalls({ begun: [{ ...CALL, attempt }], ended: [] });
      void harness.store.markCalls({ begun: [], ended: [{ ...CALL, attempt }] });
    }
    await harness.store.markCalls({ begun: [CALL], ended: [] });
    await expect(harness.store.check({ deep: true })).resolves.toBeUndefined();
  });

  it('is ignored once the store is closed: a late outcome may still say that its call is over', async () => {
    await harness.store.close();
    expect(() => harness.store.markCalls({ begun: [], ended: [CALL] })).not.toThrow();
    await harness.store.markCalls({ begun: [CALL], ended: [] });
  });
}
