import { getEventListeners } from 'node:events';
import { ManualClock } from '../testing/manual-clock.js';
import { sleep } from './clock.js';

describe('sleeping', () => {
  it('lasts as long as requested, by that clock', async () => {
    const clock = new ManualClock();
    let isAwake = false;
    void sleep(clock, 1_000, new AbortController().signal).then(() => {
      isAwake = true;
    });
    await clock.advance(999);
    expect(isAwake).toBe(false);
    await clock.advance(1);
    expect(isAwake).toBe(true);
  });

  it('ends at once when the signal fires, and also when it has fired before', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const asleep = sleep(clock, 1_000, controller.signal);
    controller.abort();
    await asleep;
    await sleep(clock, 1_000, controller.signal);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('leaves nothing on the signal when its time has come', async () => {
    const clock = new ManualClock();
    const { signal } = new AbortController();
    const asleep = sleep(clock, 10, signal);
    await clock.advance(10);
    await asleep;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
