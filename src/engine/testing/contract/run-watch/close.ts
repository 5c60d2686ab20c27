import { forEver, RUN, type RunWatchHarness } from './support/contract.js';

export default function closeContract(harness: RunWatchHarness): void {
  it('resolves all waiters', async () => {
    const waiting = [RUN, null].map((runId) =>
      harness.watch.waitFor({ runId, afterSeq: 0, signal: forEver() }),
    );
    await harness.watch.close();
    await Promise.all(waiting);
  });

  it('twice is no error', async () => {
    await harness.watch.close();
    await expect(harness.watch.close()).resolves.toBeUndefined();
  });
}
