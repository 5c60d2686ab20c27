import { LargeResponses, type LargeResponse } from './large-responses.js';

const STEP = 64 * 1024;

/** Large responses within ten steps; what each connection is told to do, and the timer that a test fires. */
function largeResponses() {
  const said: string[] = [];
  const timers: (() => void)[] = [];
  const all = new LargeResponses({ maxBytes: 10 * STEP, schedule: (_ms, fire) => void timers.push(fire) });
  const enter = (name: string, steps: number): LargeResponse => {
    const record = (what: string) => () => void said.push(`${name} ${what}`);
    const response = all.enter({
      pause: record('waits'),
      resume: record('goes on'),
      giveWay: record('gives way'),
    });
    if (steps > 0) response.grow(steps * STEP);
    return response;
  };
  return { all, said, enter, fire: () => timers.shift()?.(), timers };
}

describe('large responses that arrive together', () => {
  it('continue within the bound, and beyond it the oldest alone', () => {
    const { said, enter } = largeResponses();
    const [oldest, other] = [enter('a', 5), enter('b', 5)];
    expect(said).toEqual([]);
    other.grow(STEP);
    oldest.grow(STEP);
    expect(said).toEqual(['b waits']);
  });

  it('wait for one that is complete until its outcome is stored', () => {
    const { all, said, enter } = largeResponses();
    const [first, second] = [enter('a', 9), enter('b', 1)];
    first.complete();
    second.grow(STEP);
    expect([said, all.isFull]).toEqual([['b waits'], true]);
    first.release();
    first.release();
    expect([said, all.isFull, all.heldBytes]).toEqual([['b waits', 'b goes on'], false, 2 * STEP]);
  });

  it('hold one response more than the bound, however many arrive', () => {
    const { all, enter } = largeResponses();
    const first = enter('a', 10);
    const others = [1, 2, 3].map((n) => enter(`b${n}`, 1));
    for (let step = 0; step < 5; step += 1) first.grow(STEP);
    expect(all.heldBytes).toBe((15 + others.length) * STEP);
    first.complete();
    first.release();
    expect(all.heldBytes).toBe(others.length * STEP);
  });

  it('are resumed only as many as the bound allows', () => {
    const { said, enter } = largeResponses();
    const first = enter('a', 8);
    const others = [1, 2, 3, 4].map((n) => enter(`b${n}`, 2));
    first.complete();
    others.forEach((other) => other.grow(STEP));
    said.length = 0;
    first.release();
    expect(said).toEqual(['b1 goes on']);
  });

  it('do not wait for one without progress: it gives way, and its share is free', () => {
    const { all, said, enter, fire, timers } = largeResponses();
    enter('stalled', 9);
    enter('b', 2);
    said.length = 0;
    fire();
    expect(said).toEqual(['b goes on', 'stalled gives way']);
    expect([all.heldBytes, all.isFull, timers.length]).toEqual([2 * STEP, false, 0]);
  });

  it('wait for one that makes progress, however long it takes', () => {
    const { said, enter, fire } = largeResponses();
    const slow = enter('slow', 9);
    enter('b', 2);
    for (let round = 0; round < 5; round += 1) {
      slow.grow(STEP);
      fire();
    }
    expect(said).toEqual(['b waits']);
  });

  it('that broke off free their share for the next', () => {
    const { said, enter } = largeResponses();
    const broken = enter('a', 9);
    enter('b', 2);
    broken.release();
    broken.grow(STEP);
    expect(said).toEqual(['b waits', 'b goes on']);
  });
});
