import type { RunEvent } from '../../core/log/event.js';
import type { Signal } from '../../core/signal.js';
import { RunThrottle } from './run-throttle.js';

const AT = 1_000_000;
const itself: readonly Signal[] = [{ type: 'continue', at: AT }];
const answered: readonly Signal[] = [
  {
    type: 'unit-finished',
    at: AT,
    executionId: 1,
    attempt: 1,
    output: 1,
    patch: null,
    usage: null,
    metadata: null,
  },
];
const appended = (count: number, chars = 0) => ({
  events: { length: count } as unknown as readonly RunEvent[],
  chars,
});

describe('a run that continues by itself', () => {
  it('does so at once for a hundred thousand events or 64 MiB, and then at 5,000 or 1 MiB a second', () => {
    const events = new RunThrottle();
    expect(events.next(itself, appended(100_000), AT)).toBe(0);
    expect(events.next(itself, appended(2_500), AT)).toBe(500);
    const chars = new RunThrottle();
    expect(chars.next(itself, appended(1, 64 * 1024 * 1024), AT)).toBe(0);
    expect(chars.next(itself, appended(1, 2 * 1024 * 1024), AT)).toBe(2_000);
  });

  it('may use later what it did not use, up to what it may do at once', () => {
    const throttle = new RunThrottle();
    throttle.next(itself, appended(102_500), AT);
    expect(throttle.next(itself, appended(2_500), AT + 500)).toBe(500);
    expect(throttle.next(itself, appended(100_000), AT + 10_000_000)).toBe(0);
    expect(throttle.next(itself, appended(1), AT + 10_000_000)).toBe(1);
  });

  it('may use a full burst again once a unit completed or a person decided', () => {
    const throttle = new RunThrottle();
    throttle.next(itself, appended(150_000), AT);
    expect(throttle.next([...itself, ...answered], appended(100_000), AT)).toBe(0);
  });

  it('is not slowed further because the clock was set back', () => {
    const throttle = new RunThrottle();
    throttle.next(itself, appended(100_000), AT);
    expect(throttle.next(itself, appended(5_000), AT - 3_600_000)).toBe(1_000);
  });
});
