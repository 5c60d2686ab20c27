import fc from 'fast-check';
import { ManualClock } from '../../../testing/manual-clock.js';
import { SystemClock } from '../../system-clock.js';
import { Deadlines, type Deadline, type Timed } from './deadlines.js';

/** A clock whose one timer fires only when the test moves it, and that counts how often it is set. */
class OneTimerClock {
  scheduled = 0;
  private timer: { readonly at: number; readonly callback: () => void } | null = null;

  constructor(public instant: number) {}

  now(): number {
    return this.instant;
  }

  wallTime(): number {
    return this.instant;
  }

  schedule(at: number, callback: () => void): () => void {
    this.scheduled += 1;
    expect(this.timer).toBeNull();
    const timer = { at, callback };
    this.timer = timer;
    return () => {
      if (this.timer === timer) this.timer = null;
    };
  }

  get isSet(): boolean {
    return this.timer !== null;
  }

  /** Fires everything that is due by the instant. */
  moveTo(instant: number): void {
    while (this.timer !== null && this.timer.at <= instant) {
      const { at, callback } = this.timer;
      this.timer = null;
      this.instant = Math.max(this.instant, at);
      callback();
    }
    this.instant = Math.max(this.instant, instant);
  }

  /** The clock leaps, and its timer fires only then, as after a sleep of the machine. */
  jumpTo(instant: number): void {
    this.instant = instant;
    const late = this.timer;
    this.timer = null;
    late?.callback();
  }
}

class Noted implements Timed {
  firedAt: number | null = null;
  deadline: Deadline | null = null;

  constructor(
    private readonly now: () => number,
    private readonly next: () => void = () => undefined,
  ) {}

  overrun(): void {
    this.firedAt = this.now();
    this.next();
  }
}

const NOON = 1_790_000_000_123;

function wheel() {
  const clock = new OneTimerClock(NOON);
  const deadlines = new Deadlines(clock);
  const set = (lastsMs: number, next?: () => void): Noted => {
    const noted = new Noted(() => clock.now(), next);
    noted.deadline = deadlines.set(noted, clock.now(), lastsMs);
    return noted;
  };
  const drop = ({ deadline }: Noted): void => deadlines.drop(deadline!);
  return { clock, deadlines, set, drop };
}

describe('the deadlines of what is in flight', () => {
  it('fire to the millisecond when they last less than a second, and otherwise at most ten later', () => {
    const { clock, set } = wheel();
    const lasts = [0, 1, 7, 63, 640, 999, 1_000, 1_001, 30_000, 41_003, 3_600_001, 30 * 86_400_000];
    const all = lasts.map((ms) => [ms, set(ms)] as const);
    clock.moveTo(NOON + 31 * 86_400_000);
    for (const [ms, { firedAt }] of all) {
      const lateBy = (firedAt ?? Infinity) - NOON - ms;
      expect([ms, lateBy >= 0 && lateBy <= (ms < 1_000 ? 0 : 10)]).toEqual([ms, true]);
    }
  });

  it('take one timer, however many are set and dropped before their time', () => {
    const { clock, set, drop } = wheel();
    for (let index = 0; index < 10_000; index += 1) {
      drop(set(30_000));
      clock.moveTo(NOON + index);
    }
    expect(clock.scheduled).toBeLessThanOrEqual(2);
    clock.moveTo(NOON + 40_000);
    expect(clock.isSet).toBe(false);
    expect(set(5).firedAt).toBeNull();
    expect(clock.isSet).toBe(true);
  });

  it('set the timer earlier for one that is earlier than the others', () => {
    const { clock, set } = wheel();
    const [late, early] = [set(60_000), set(20)];
    clock.moveTo(NOON + 20);
    expect([early.firedAt, late.firedAt]).toEqual([NOON + 20, null]);
    clock.moveTo(NOON + 60_010);
    expect(late.firedAt).not.toBeNull();
  });

  it('do not fire once they were dropped, also by one that fires before at the same time', () => {
    const { clock, set, drop } = wheel();
    const others: Noted[] = [];
    const first = set(50, () => drop(others[0]!));
    others.push(set(50));
    const third = set(50);
    clock.moveTo(NOON + 100);
    expect([first.firedAt, others[0]!.firedAt, third.firedAt]).toEqual([NOON + 50, null, NOON + 50]);
  });

  it('fire once, and may be set again while they fire', () => {
    const { clock, set, drop } = wheel();
    let times = 0;
    const again = (): Noted => set(times * 1_000, () => void (++times < 3 && again()));
    const first = again();
    const dropped = again();
    drop(dropped);
    drop(dropped);
    clock.moveTo(NOON + 100_000);
    drop(first);
    expect(times).toBe(3);
  });

  it('all fire although one of them fails', () => {
    const { clock, set } = wheel();
    const fault = new Error('a fault of ours');
    set(50, () => {
      throw fault;
    });
    const others = [50, 2_000].map((ms) => set(ms));
    expect(() => clock.moveTo(NOON + 50)).toThrow(fault);
    clock.moveTo(NOON + 51);
    expect(others[0]!.firedAt).toBe(NOON + 50);
    clock.moveTo(NOON + 3_000);
    expect(others[1]!.firedAt).not.toBeNull();
  });

  it('that the clock leapt over fire at once, and none that is still to come does', () => {
    const { clock, set } = wheel();
    const due = [1, 700, 5_000, 600_000, 7_200_000].map((ms) => set(ms));
    const later = set(7_300_000);
    clock.jumpTo(NOON + 7_200_010);
    expect(due.every(({ firedAt }) => firedAt === NOON + 7_200_010)).toBe(true);
    expect(later.firedAt).toBeNull();
    clock.moveTo(NOON + 7_300_010);
    expect(later.firedAt).not.toBeNull();
  });

  it('fire in time whatever is set, dropped and leapt over', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), ms: fc.oneof(fc.nat(1_500), fc.nat(10_000_000)) }),
      fc.record({ kind: fc.constant('drop' as const), which: fc.nat() }),
      fc.record({ kind: fc.constant('move' as const), ms: fc.oneof(fc.nat(50), fc.nat(100_000)) }),
      fc.record({ kind: fc.constant('jump' as const), ms: fc.nat(5_000_000) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { clock, set, drop } = wheel();
        const open: { readonly deadline: Noted; readonly at: number; readonly slackMs: number }[] = [];
        const dropped: Noted[] = [];
        for (const taken of steps) {
          if (taken.kind === 'set') {
            const slackMs = taken.ms < 1_000 ? 0 : 10;
            open.push({ deadline: set(taken.ms), at: clock.now() + taken.ms, slackMs });
          } else if (taken.kind === 'drop' && open.length > 0) {
            const [gone] = open.splice(taken.which % open.length, 1);
            drop(gone!.deadline);
            if (gone!.deadline.firedAt === null) dropped.push(gone!.deadline);
          } else if (taken.kind === 'move') clock.moveTo(clock.now() + taken.ms);
          else if (taken.kind === 'jump') clock.jumpTo(clock.now() + taken.ms);
          for (const { deadline, at, slackMs } of open) {
            if (deadline.firedAt === null) expect(at + slackMs).toBeGreaterThanOrEqual(clock.now());
            else expect(deadline.firedAt).toBeGreaterThanOrEqual(at);
          }
        }
        clock.moveTo(clock.now() + 20_000_000);
        expect(open.every(({ deadline }) => deadline.firedAt !== null)).toBe(true);
        expect(dropped.every(({ firedAt }) => firedAt === null)).toBe(true);
        expect(clock.isSet).toBe(false);
      }),
    );
  });

  it('follow the clock of the process: nothing fires early, and its timer does not keep the process alive', async () => {
    const clock = new SystemClock();
    const deadlines = new Deadlines(clock);
    const early: number[] = [];
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const at = clock.now() + (index % 20);
        return new Promise<void>((resolve) => {
          const deadline = new Noted(() => {
            if (clock.now() < at) early.push(at);
            resolve();
            return clock.now();
          });
          deadlines.set(deadline, clock.now(), index % 20);
          // Keeps the process alive, which the clock itself never does.
          setTimeout(() => undefined, 100);
        });
      }),
    );
    expect(early).toEqual([]);
  });

  it('leave a manual clock with one timer', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines(clock);
    const all = [30_000, 60_000, 500].map((ms) => {
      const deadline = new Noted(() => clock.now());
      deadlines.set(deadline, clock.now(), ms);
      return deadline;
    });
    expect(clock.scheduled).toBe(1);
    await clock.advance(60_000);
    expect(all.every(({ firedAt }) => firedAt !== null)).toBe(true);
    expect(clock.scheduled).toBe(0);
  });
});
