import { InMemoryRunStore } from '../in-memory/in-memory-run-store.js';
import { appendRuns, Following } from '../testing/contract/log-follower/support/contract.js';

import { InboxBatch } from '../runtime/mailbox/inbox/inbox-batch.js';
import { ManualClock } from '../testing/manual-clock.js';
import { processLoad } from './load.js';
import { Throttle } from './throttle.js';

const BATCH = 100;
const WORK_MS = 2;

/** A follower with a long log before it, whose batches take 2 ms each. */
async function farBehind(workMs = WORK_MS): Promise<Following> {
  const store = new InMemoryRunStore();
  await appendRuns(store, 0, 20_000);
  const process: Following = new Following(store, {
    pollMs: null,
    batchEntries: BATCH,
    handle: async (entries) => {
      process.batches.push(entries);
      await new Promise<void>((resolve) => {
        process.clock.schedule(process.clock.now() + workMs, resolve);
      });
    },
  });
  return process;
}

/** Time passes a step at a time, and what is under way comes to its end in each. */
async function pass(process: Following, ms: number, stepMs = 1): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await process.clock.advance(stepMs);
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

async function stop(process: Following): Promise<void> {
  const ended = process.end();
  await process.clock.advance(WORK_MS * 10);
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

  it('takes about a twentieth of it under load, in smaller batches', async () => {
    const process = await farBehind();
    process.busy = 1;
    process.begin();
    await pass(process, 1_200);
    process.batches.length = 0;
    await pass(process, 2_000);
    const shareOfTime = (process.batches.length * WORK_MS) / 2_000;
    expect(shareOfTime).toBeGreaterThan(0.03);
    expect(shareOfTime).toBeLessThan(0.055);
    expect(new Set(process.batches.map(({ length }) => length))).toEqual(new Set([0.4 * BATCH]));
    await stop(process);
  });

  it('takes half of it once it has not come to the end for half a minute, in whole batches', async () => {
    const workMs = 20;
    const process = await farBehind(workMs);
    process.busy = 1;
    process.begin();
    await pass(process, 31_000, workMs);
    process.batches.length = 0;
    await pass(process, 1_000, workMs);
    expect((process.batches.length * workMs) / 1_000).toBeGreaterThan(0.4);
    expect(process.batches.at(-1)).toHaveLength(BATCH);
    await stop(process);
  });

  it('takes about a fifth of it when a load leaves a third', async () => {
    const process = await farBehind();
    process.busy = 0.65;
    process.begin();
    await pass(process, 200);
    process.batches.length = 0;
    await pass(process, 1_000);
    const shareOfTime = (process.batches.length * WORK_MS) / 1_000;
    expect(shareOfTime).toBeGreaterThan(0.1);
    expect(shareOfTime).toBeLessThan(0.25);
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

describe('the throttle of a follower', () => {
  /** A throttle after a break in which the load was so high, and how long the break was. */
  async function afterBreak(load: number, workedMs = 0, isAtEnd = false) {
    const clock = new ManualClock();
    const throttle = new Throttle(clock, { measure: () => () => load }, 100);
    await throttle.count(async () => {
      await clock.advance(workedMs);
    });
    const since = clock.now();
    const taken: { ms: number | null } = { ms: null };
    const { signal } = new AbortController();
    const collecting = { signal, restFollows: () => undefined };
    void throttle.takeBreak(signal, isAtEnd ? collecting : null).then(() => {
      taken.ms = clock.now() - since;
    });
    while (taken.ms === null) await clock.advance(1);
    return { clock, pace: throttle, restedMs: taken.ms };
  }

  it('leaves full speed up to half of the load, and less beyond it', async () => {
    for (const load of [0, 0.5]) {
      const { pace: throttle, restedMs } = await afterBreak(load, 10);
      expect([throttle.batch, throttle.mayProceed, restedMs]).toEqual([100, true, 5]);
    }
    const { pace: throttle } = await afterBreak(0.51, 10);
    expect([throttle.batch, throttle.mayProceed]).toEqual([40, false]);
  });

  it('takes a break nineteen times as long as the work at full load, and half of that half-way there', async () => {
    expect((await afterBreak(1, 10)).restedMs).toBe(190);
    expect((await afterBreak(0.75, 10)).restedMs).toBe(95);
    // All work takes some time.
    expect((await afterBreak(1, 0)).restedMs).toBe(19);
    expect((await afterBreak(1, 100_000)).restedMs).toBe(5_000);
  });

  it('takes ever shorter breaks while a load lasts, until it is at the end once', async () => {
    const clock = new ManualClock();
    const throttle = new Throttle(clock, { measure: () => () => 1 }, 100);
    const restAt = async (ms: number): Promise<number> => {
      throttle.reached(false);
      await clock.advance(ms - clock.now() - 10);
      await throttle.count(() => clock.advance(10));
      const taken: { ms: number | null } = { ms: null };
      const since = clock.now();
      void throttle.takeBreak(new AbortController().signal).then(() => (taken.ms = clock.now() - since));
      while (taken.ms === null) await clock.advance(1);
      return taken.ms;
    };
    const begin = clock.now();
    expect(await restAt(begin + 9_000)).toBe(190);
    expect(await restAt(begin + 20_000)).toBeLessThan(110);
    expect(throttle.batch).toBe(40);
    expect(await restAt(begin + 30_000)).toBe(10);
    expect(throttle.batch).toBe(100);
    throttle.reached(true);
    expect(await restAt(begin + 31_000)).toBe(190);
  });

  it('takes a longer break at the end of the log, where entries collect', async () => {
    expect((await afterBreak(0, 10, true)).restedMs).toBe(20);
  });

  it('continues for a slice of fifty milliseconds, and as long again after a break', async () => {
    const { clock, pace: throttle } = await afterBreak(0);
    const work = (ms: number) => throttle.count(() => clock.advance(ms));
    await work(30);
    expect(throttle.mayProceed).toBe(true);
    await work(19);
    expect(throttle.mayProceed).toBe(true);
    await work(1);
    expect(throttle.mayProceed).toBe(false);
    void throttle.takeBreak(new AbortController().signal);
    await clock.advance(5);
    expect(throttle.mayProceed).toBe(true);
  });

  it('returns the result of the work', async () => {
    const { pace: throttle } = await afterBreak(0);
    expect(await throttle.count(async () => 7)).toBe(7);
  });

  it('ends a break when its signal fires', async () => {
    const clock = new ManualClock();
    const throttle = new Throttle(clock, { measure: () => () => 1 }, 100);
    await throttle.count(() => clock.advance(1_000));
    const controller = new AbortController();
    const resting = throttle.takeBreak(controller.signal);
    await clock.advance(200);
    controller.abort();
    await resting;
    expect(clock.scheduled).toBe(0);
  });
});

describe('the load of this process', () => {
  it('is high while its event loop works and low while it waits', async () => {
    const load = processLoad(new InboxBatch());
    const working = load.measure();
    const until = Date.now() + 60;
    while (Date.now() < until) await new Promise((resolve) => setImmediate(resolve));
    expect(working()).toBeGreaterThan(0.8);
    const waiting = load.measure();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(waiting()).toBeLessThan(0.6);
  });

  it('is high while many runs wait for the store, though the event loop waits too', async () => {
    const inHand = new InboxBatch();
    const load = processLoad(inHand);
    const queued = load.measure();
    for (let count = 0; count < 100; count += 1) inHand.begin();
    for (let count = 0; count < 100; count += 1) inHand.end();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(queued()).toBe(1);
    const over = load.measure();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(over()).toBeLessThan(0.6);
  });

  it('that is cut off where entries collect is taken later, with the work of the next one', async () => {
    const clock = new ManualClock();
    const throttle = new Throttle(clock, { measure: () => () => 1 }, 100, 200);
    const { signal } = new AbortController();
    const work = (ms: number) => throttle.count(() => clock.advance(ms));
    await work(10);
    const hurried = new AbortController();
    hurried.abort();
    await throttle.takeBreak(signal, { signal: hurried.signal, restFollows: () => undefined });
    expect(throttle.isResting).toBe(false);
    await work(10);
    let rests = 0;
    const since = clock.now();
    const taken: { ms: number | null } = { ms: null };
    void throttle.takeBreak(signal, { signal, restFollows: () => (rests += 1) }).then(() => {
      taken.ms = clock.now() - since;
    });
    while (taken.ms === null) await clock.advance(1);
    expect([rests, taken.ms]).toEqual([1, 20 * 19]);
  });
});
