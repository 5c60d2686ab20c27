import { appendRuns, Following, type LogFollowerHarness, withABatchInHand } from './support/contract.js';

export default function stopContract(harness: LogFollowerHarness): void {
  it('is prompt while there is nothing to do', async () => {
    const process = new Following(harness.store);
    process.begin();
    await process.clock.advance(500);
    await process.end();
    expect(process.clock.scheduled).toBe(0);
  });

  it('is prompt while it rests from a load', async () => {
    await appendRuns(harness.store, 0, 50);
    const process = new Following(harness.store);
    process.busy = 1;
    process.begin();
    await process.until(() => process.batches.length > 0, 'it has begun');
    await process.end();
    expect(process.clock.scheduled).toBe(0);
  });

  it('is prompt while it waits to try again', async () => {
    await appendRuns(harness.store, 0, 1);
    const process = new Following(harness.store, { handle: () => Promise.reject(new Error('broken')) });
    process.begin();
    await process.until(() => process.logger.said.length === 1, 'it failed');
    await process.end();
    expect(process.clock.scheduled).toBe(0);
  });

  it('waits for the batch under way, and begins no other', async () => {
    await appendRuns(harness.store, 0, 20);
    const { process, finish } = await withABatchInHand(harness.store);
    let isEnded = false;
    const ended = process.end().then(() => {
      isEnded = true;
    });
    await process.clock.advance(1_000);
    expect(isEnded).toBe(false);
    finish();
    await ended;
    expect(process.batches).toHaveLength(1);
    expect(await process.follower.lag()).toBe(10);
  });

  it('can be followed by another start in the same process, which never overlaps', async () => {
    await appendRuns(harness.store, 0, 1);
    let inHand = 0;
    let most = 0;
    const gate = Promise.withResolvers<void>();
    const process: Following = new Following(harness.store, {
      handle: async (entries) => {
        inHand += 1;
        most = Math.max(most, inHand);
        await gate.promise;
        inHand -= 1;
        process.batches.push(entries);
      },
    });
    process.begin();
    await process.until(() => inHand === 1, 'a batch is in hand');
    void process.end();
    process.begin();
    await appendRuns(harness.store, 1, 1);
    await process.clock.advance(1_000);
    gate.resolve();
    await process.until(() => process.handled.length === 2, 'everything is handled');
    await process.end();
    expect(most).toBe(1);
  });
}
