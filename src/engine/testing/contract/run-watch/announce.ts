import { RUN, type RunWatchHarness } from './support/contract.js';

export default function announceContract(harness: RunWatchHarness): void {
  it('is no error while there are no waiters', () => {
    expect(() => harness.watch.announce({ runId: RUN, seq: 1 })).not.toThrow();
  });

  it('is no error after the watch was closed', async () => {
    await harness.watch.close();
    expect(() => harness.watch.announce({ runId: RUN, seq: 1 })).not.toThrow();
  });
}
