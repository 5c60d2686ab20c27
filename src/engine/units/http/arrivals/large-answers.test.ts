import { LargeAnswers, type LargeAnswer } from './large-answers.js';

const STEP = 64 * 1024;

/** Large answers within ten steps; what is told to each connection, and the timer that a test lets ring. */
function arrivals() {
  const said: string[] = [];
  const timers: (() => void)[] = [];
  const all = new LargeAnswers({ maxBytes: 10 * STEP, schedule: (_ms, ring) => void timers.push(ring) });
  const enter = (name: string, steps: number): LargeAnswer => {
    const tell = (what: string) => () => void said.push(`${name} ${what}`);
    const answer = all.enter({ pause: tell('waits'), resume: tell('goes on'), giveWay: tell('gives way') });
    if (steps > 0) answer.grow(steps * STEP);
    return answer;
  };
  return { all, said, enter, ring: () => timers.shift()?.(), timers };
}

describe('large answers that arrive together', () => {
  it('go on as long as they have room, and beyond it the oldest alone', () => {
    const { said, enter } = arrivals();
    const [oldest, other] = [enter('a', 5), enter('b', 5)];
    expect(said).toEqual([]);
    other.grow(STEP);
    oldest.grow(STEP);
    expect(said).toEqual(['b waits']);
  });

  it('wait for one that is complete until what followed from it is stored', () => {
    const { all, said, enter } = arrivals();
    const [first, second] = [enter('a', 9), enter('b', 1)];
    first.complete();
    second.grow(STEP);
    expect([said, all.isFull]).toEqual([['b waits'], true]);
    first.release();
    first.release();
    expect([said, all.isFull, all.heldBytes]).toEqual([['b waits', 'b goes on'], false, 2 * STEP]);
  });

  it('hold one answer more than the bound, however many come', () => {
    const { all, enter } = arrivals();
    const first = enter('a', 10);
    const others = [1, 2, 3].map((n) => enter(`b${n}`, 1));
    for (let step = 0; step < 5; step += 1) first.grow(STEP);
    expect(all.heldBytes).toBe((15 + others.length) * STEP);
    first.complete();
    first.release();
    expect(all.heldBytes).toBe(others.length * STEP);
  });

  it('are let go on only as many as there is room for', () => {
    const { said, enter } = arrivals();
    const first = enter('a', 8);
    const others = [1, 2, 3, 4].map((n) => enter(`b${n}`, 2));
    first.complete();
    others.forEach((other) => other.grow(STEP));
    said.length = 0;
    first.release();
    expect(said).toEqual(['b1 goes on']);
  });

  it('do not wait for one that brings nothing: it gives way, and its share is free', () => {
    const { all, said, enter, ring, timers } = arrivals();
    enter('stalled', 9);
    enter('b', 2);
    said.length = 0;
    ring();
    expect(said).toEqual(['b goes on', 'stalled gives way']);
    expect([all.heldBytes, all.isFull, timers.length]).toEqual([2 * STEP, false, 0]);
  });

  it('wait for one that brings something, however long it takes', () => {
    const { said, enter, ring } = arrivals();
    const slow = enter('slow', 9);
    enter('b', 2);
    for (let turn = 0; turn < 5; turn += 1) {
      slow.grow(STEP);
      ring();
    }
    expect(said).toEqual(['b waits']);
  });

  it('that broke off leave room for the next', () => {
    const { said, enter } = arrivals();
    const broken = enter('a', 9);
    enter('b', 2);
    broken.release();
    broken.grow(STEP);
    expect(said).toEqual(['b waits', 'b goes on']);
  });
});
