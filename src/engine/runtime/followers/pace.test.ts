import { appendRuns, Following } from '../../testing/contract/log-follower/support/contract.js';
import { LogOnlyStore } from '../../testing/log-only-store.js';
import { eventLoopLoad } from './load.js';

const BATCH = 100;
const WORK_MS = 2;

/** A follower with a long log before it, whose batches take 2 ms each. */
async function farBehind(): Promise<Following> {
  const store = new LogOnlyStore();
  await appendRuns(store, 0, 20_000);
  const process: Following = new Following(store, {
    pollMs: null,
    batchEntries: BATCH,
    handle: async (entries) => {
      process.batches.push(entries);
      await new Promise<void>((resolve) => {
        process.clock.schedule(process.clock.now() + WORK_MS, resolve);
      });
    },
  });
  return process;
}

/** Time passes a millisecond at a time, and what is under way comes to its end in each. */
async function pass(process: Following, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1) {
    await process.clock.advance(1);
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

async function stop(process: Following): Promise<void> {
  const ended = process.end();
  await process.clock.advance(WORK_MS);
  await ended;
}

describe('a follower that is far behind', () => {
  it('takes nine tenths of the time while the process has nothing else to do', async () => {
    const process = await farBehind();
    process.begin();
    await pass(process, 220);
    expect((process.batches.length * WORK_MS) / 220).toBeGreaterThan(0.85);
    expect(process.batches.at(-1)).toHaveLength(BATCH);
    await stop(process);
  });

  it('takes about a twentieth of it under load, in batches of a tenth', async () => {
    const process = await farBehind();
    process.busy = 0.95;
    process.begin();
    await pass(process, 1_200);
    process.batches.length = 0;
    await pass(process, 2_000);
    const shareOfTime = (process.batches.length * WORK_MS) / 2_000;
    expect(shareOfTime).toBeGreaterThan(0.03);
    expect(shareOfTime).toBeLessThan(0.055);
    expect(new Set(process.batches.map(({ length }) => length))).toEqual(new Set([BATCH / 10]));
    await stop(process);
  });

  it('is at full speed again within a tenth of a second after the load', async () => {
    const process = await farBehind();
    process.busy = 1;
    process.begin();
    await pass(process, 1_500);
    process.busy = 0.2;
    await pass(process, 105);
    process.batches.length = 0;
    await pass(process, 100);
    expect((process.batches.length * WORK_MS) / 100).toBeGreaterThan(0.8);
    await stop(process);
  });
});

describe('the load of this process', () => {
  it('is high while its event loop works and low while it waits', async () => {
    const working = eventLoopLoad.measure();
    const until = Date.now() + 60;
    while (Date.now() < until) await new Promise((resolve) => setImmediate(resolve));
    expect(working()).toBeGreaterThan(0.8);
    const waiting = eventLoopLoad.measure();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(waiting()).toBeLessThan(0.6);
  });
});
