import type { RunEvent } from '../../core/log/event.js';
import type { Signal } from '../../core/signal.js';
import { OwnPace } from './own-pace.js';

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

describe('a run that goes on by itself', () => {
  it('does so at once for a hundred thousand events or 64 MiB, and then at 5,000 or 1 MiB a second', () => {
    const events = new OwnPace();
    expect(events.next(itself, appended(100_000), AT)).toBe(0);
    expect(events.next(itself, appended(2_500), AT)).toBe(500);
    const chars = new OwnPace();
    expect(chars.next(itself, appended(1, 64 * 1024 * 1024), AT)).toBe(0);
    expect(chars.next(itself, appended(1, 2 * 1024 * 1024), AT)).toBe(2_000);
  });

  it('is owed what it did not use, up to what it may do at once', () => {
    const pace = new OwnPace();
    pace.next(itself, appended(102_500), AT);
    expect(pace.next(itself, appended(2_500), AT + 500)).toBe(500);
    expect(pace.next(itself, appended(100_000), AT + 10_000_000)).toBe(0);
    expect(pace.next(itself, appended(1), AT + 10_000_000)).toBe(1);
  });

  it('is as free as before once a unit answered or a person decided', () => {
    const pace = new OwnPace();
    pace.next(itself, appended(150_000), AT);
    expect(pace.next([...itself, ...answered], appended(100_000), AT)).toBe(0);
  });

  it('owes no more because the clock was set back', () => {
    const pace = new OwnPace();
    pace.next(itself, appended(100_000), AT);
    expect(pace.next(itself, appended(5_000), AT - 3_600_000)).toBe(1_000);
  });
});
