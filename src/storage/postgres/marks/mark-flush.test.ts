import { setImmediate } from 'node:timers/promises';
import { MarkFlush, type Later } from './mark-flush.js';

function flushOf() {
  const timers: { readonly ms: number; readonly callback: () => void }[] = [];
  const later: Later = (callback, ms) => {
    const timer = { ms, callback };
    timers.push(timer);
    return () => {
      const at = timers.indexOf(timer);
      if (at !== -1) timers.splice(at, 1);
    };
  };
  const writes: { readonly end: () => Promise<void>; readonly fail: () => Promise<void> }[] = [];
  const settled = async (): Promise<void> => {
    await setImmediate();
    await setImmediate();
  };
  const flush = new MarkFlush(() => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    writes.push({
      end: () => {
        resolve();
        return settled();
      },
      fail: () => {
        reject(new Error('no'));
        return settled();
      },
    });
    return promise;
  }, later);
  const fire = async (): Promise<void> => {
    for (const { callback } of timers.splice(0)) callback();
    await settled();
  };
  return { flush, timers, writes, fire };
}

const isOver = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), setImmediate().then(() => false)]);

describe('marks', () => {
  it('collect for a moment, and are written together', async () => {
    const { flush, timers, writes, fire } = flushOf();
    const noted = [flush.noted({ isUrgent: false }), flush.noted({ isUrgent: false })];
    expect(timers.map(({ ms }) => ms)).toEqual([50]);
    await fire();
    expect(writes).toHaveLength(1);
    expect(await isOver(Promise.all(noted))).toBe(false);
    await writes[0]!.end();
    await Promise.all(noted);
    expect(timers).toEqual([]);
  });

  it('that are waited for are written at once, with those that collect', async () => {
    const { flush, timers, writes } = flushOf();
    const first = flush.noted({ isUrgent: false });
    const second = flush.noted({ isUrgent: true });
    await setImmediate();
    expect([writes.length, timers.length]).toEqual([1, 0]);
    await writes[0]!.end();
    await Promise.all([first, second]);
  });

  it('that come while others are written are written after them', async () => {
    const { flush, timers, writes, fire } = flushOf();
    void flush.noted({ isUrgent: true });
    await setImmediate();
    const next = flush.noted({ isUrgent: false });
    await writes[0]!.end();
    expect(await isOver(next)).toBe(false);
    expect(timers).toHaveLength(1);
    await fire();
    const urgent = flush.noted({ isUrgent: true });
    await writes[1]!.end();
    await next;
    expect(writes).toHaveLength(3);
    await writes[2]!.end();
    await urgent;
  });

  it('that cannot be written hold nobody up, show in a check, and are tried again', async () => {
    const { flush, timers, writes, fire } = flushOf();
    const noted = flush.noted({ isUrgent: true });
    await setImmediate();
    await writes[0]!.fail();
    await noted;
    expect(timers.map(({ ms }) => ms)).toEqual([1_000]);
    const checked = flush.verify().catch(() => 'fault');
    await setImmediate();
    await writes[1]!.fail();
    await expect(checked).resolves.toBe('fault');
    await fire();
    await writes[2]!.end();
    await expect(flush.verify()).resolves.toBeUndefined();
    expect(timers).toEqual([]);
  });

  it('are not written after the end, which waits for what is under way', async () => {
    const { flush, writes } = flushOf();
    void flush.noted({ isUrgent: true });
    await setImmediate();
    const waiting = flush.noted({ isUrgent: false });
    const stopped = flush.stop();
    await waiting;
    expect(await isOver(stopped)).toBe(false);
    await writes[0]!.end();
    await stopped;
    await flush.noted({ isUrgent: true });
    await setImmediate();
    expect(writes).toHaveLength(1);
  });
});
