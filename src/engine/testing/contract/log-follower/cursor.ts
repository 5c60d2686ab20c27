import {
  appendRuns,
  changed,
  Following,
  idOf,
  type LogFollowerHarness,
  withABatchInHand,
} from './support/contract.js';

export default function cursorContract(harness: LogFollowerHarness): void {
  it('stands where the last batch that was handled ends', async () => {
    await appendRuns(harness.store, 0, 25);
    const process = new Following(harness.store);
    process.begin();
    await process.until(async () => (await process.follower.lag()) === 0, 'everything is handled');
    await process.end();
    expect(await harness.store.readCursor({ name: 'sample' })).toBe(await harness.store.lastPosition());
  });

  it('shows every entry once and in order, a batch at a time', async () => {
    await appendRuns(harness.store, 0, 25);
    const process = new Following(harness.store);
    process.begin();
    await process.until(() => process.handled.length === 25, 'everything is handled');
    await process.end();
    expect(process.handled).toEqual(Array.from({ length: 25 }, (_, index) => idOf(index)));
    expect(Math.max(...process.batches.map(({ length }) => length))).toBeLessThanOrEqual(10);
  });

  it('is where another process continues', async () => {
    await appendRuns(harness.store, 0, 5);
    const first = new Following(harness.store);
    first.begin();
    await first.until(async () => (await first.follower.lag()) === 0, 'everything is handled');
    await first.end();
    await appendRuns(harness.store, 5, 2);
    const second = new Following(harness.store);
    second.begin();
    await second.until(() => second.handled.length > 0, 'the news is handled');
    await second.end();
    expect(second.handled).toEqual([idOf(5), idOf(6)]);
  });

  it('stays where it was when the process dies between the batch and the cursor: nothing is left out', async () => {
    await appendRuns(harness.store, 0, 3);
    const dead = new Following(changed(harness.store, { writeCursor: () => new Promise(() => {}) }));
    dead.begin();
    await dead.until(() => dead.handled.length === 3, 'the batch is handled');
    const next = new Following(harness.store);
    next.begin();
    await next.until(() => next.handled.length === 3, 'the batch is handled again');
    await next.end();
    expect(next.handled).toEqual([idOf(0), idOf(1), idOf(2)]);
  });

  it('goes back to the start when the follower starts over, also in the middle of a batch', async () => {
    await appendRuns(harness.store, 0, 3);
    const { process, finish } = await withABatchInHand(harness.store);
    await process.follower.startOver();
    finish();
    await process.until(() => process.handled.length === 6, 'everything is handled again');
    await process.until(async () => (await process.follower.lag()) === 0, 'the cursor is written');
    await process.end();
    expect(process.handled.slice(3)).toEqual(process.handled.slice(0, 3));
  });
}
