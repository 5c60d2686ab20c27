import { appendRuns, Following, withABatchInHand, type LogFollowerHarness } from './support/contract.js';

const COLLECT_MS = 60_000;

export default function hurryContract(harness: LogFollowerHarness): void {
  it('has what was appended handled without waiting for more', async () => {
    const process = new Following(harness.store, { pollMs: null, collectMs: COLLECT_MS });
    await appendRuns(harness.store, 0, 1);
    process.begin();
    await process.until(() => process.handled.length === 1, 'the first is handled', 0);
    await process.until(() => process.clock.scheduled === 1, 'it collects', 0);
    await appendRuns(harness.store, 1, 3);
    process.follower.wake();
    await process.clock.advance(100);
    expect(process.handled).toHaveLength(1);
    await process.follower.hurry();
    expect(process.handled).toHaveLength(4);
    await process.end();
  });

  it('is heard while a batch is in hand, too', async () => {
    await appendRuns(harness.store, 0, 1);
    const { process, finish } = await withABatchInHand(harness.store, {
      pollMs: null,
      collectMs: COLLECT_MS,
    });
    await appendRuns(harness.store, 1, 1);
    process.follower.wake();
    const hurried = process.follower.hurry();
    finish();
    await hurried;
    expect(process.handled).toHaveLength(2);
    await process.end();
  });

  it('takes no longer than a tenth of a second, however long a batch takes', async () => {
    await appendRuns(harness.store, 0, 1);
    const { process, finish } = await withABatchInHand(harness.store, { pollMs: null });
    const hurried = process.follower.hurry();
    await process.clock.advance(100);
    await hurried;
    finish();
    await process.end();
  });

  it('is nothing to wait for where nobody follows, and where all is handled', async () => {
    const process = new Following(harness.store, { pollMs: null });
    await process.follower.hurry();
    process.begin();
    await process.until(() => process.clock.scheduled === 0, 'it sleeps');
    await process.follower.hurry();
    await process.end();
    await process.follower.hurry();
    expect(process.clock.scheduled).toBe(0);
  });

  it('does not outlast the follower', async () => {
    await appendRuns(harness.store, 0, 1);
    const { process, finish } = await withABatchInHand(harness.store, { pollMs: null });
    const hurried = process.follower.hurry();
    const ended = process.end();
    finish();
    await ended;
    await hurried;
  });

  it('is not waited for while the follower gives way to load', async () => {
    const process = new Following(harness.store, { pollMs: null, collectMs: 20 });
    process.busy = 1;
    await appendRuns(harness.store, 0, 1);
    process.begin();
    await process.until(() => process.handled.length === 1, 'the first is handled', 1);
    const hurried = process.follower.hurry();
    // It collects, or rests already: a load that requires a break ends the wait.
    await process.clock.advance(25);
    await hurried;
    await process.end();
  });
}
