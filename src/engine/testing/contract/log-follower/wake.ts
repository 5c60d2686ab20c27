import {
  appendRuns,
  changed,
  Following,
  withABatchInHand,
  type LogFollowerHarness,
} from './support/contract.js';

export default function wakeContract(harness: LogFollowerHarness): void {
  it('is enough: a process that is alone sets no timer while nothing is appended', async () => {
    const { store } = harness;
    let looks = 0;
    const process = new Following(
      changed(store, {
        readAll: async (request) => {
          const found = await store.readAll(request);
          looks += 1;
          return found;
        },
      }),
      { pollMs: null },
    );
    process.begin();
    await process.until(() => looks === 1, 'it has looked at the empty log', 0);
    await process.clock.advance(1_000);
    await appendRuns(harness.store, 0, 1);
    await process.clock.advance(3_600_000);
    expect(looks).toBe(1);
    expect(process.handled).toEqual([]);
    expect(process.clock.scheduled).toBe(0);
    process.follower.wake();
    await process.until(() => process.handled.length === 1, 'the news is handled');
    await process.end();
  });

  it('that comes while it works is not lost', async () => {
    await appendRuns(harness.store, 0, 1);
    const { process, finish } = await withABatchInHand(harness.store, { pollMs: null });
    await appendRuns(harness.store, 1, 1);
    process.follower.wake();
    finish();
    await process.until(() => process.handled.length === 2, 'the second entry is handled');
    await process.end();
  });

  it('that comes between a look at the log and the sleep is not lost', async () => {
    const { store } = harness;
    let isFirstLook = true;
    const process: Following = new Following(
      changed(store, {
        readAll: async (request) => {
          const found = await store.readAll(request);
          if (isFirstLook) {
            isFirstLook = false;
            await appendRuns(store, 0, 1);
            process.follower.wake();
          }
          return found;
        },
      }),
      { pollMs: null },
    );
    process.begin();
    await process.until(() => process.handled.length === 1, 'the entry is handled');
    await process.end();
  });

  it('is not needed for what another process appends: it looks every second', async () => {
    const process = new Following(harness.store);
    process.begin();
    await process.clock.advance(5_000);
    await appendRuns(harness.store, 0, 1);
    await process.until(() => process.handled.length === 1, 'the news is handled');
    await process.end();
  });

  it('does nothing while this process does not follow', async () => {
    await appendRuns(harness.store, 0, 1);
    const process = new Following(harness.store);
    process.follower.wake();
    await process.clock.advance(5_000);
    expect(process.handled).toEqual([]);
  });
}
