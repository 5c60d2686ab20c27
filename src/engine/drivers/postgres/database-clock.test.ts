import { assert, array, integer, property, tuple } from 'fast-check';
import type { Readings } from '../../scheduling/readings.js';
import { DatabaseClock } from './database-clock.js';

const START = 1_790_000_000_000;

/** A machine, and a database whose clock is ahead of its own. */
class Machine implements Readings {
  private passedMs = 0;
  private setByMs = 0;
  aheadMs = 0;
  readonly clock = new DatabaseClock(this);

  wallMs(): number {
    return START + this.passedMs + this.setByMs;
  }

  steadyMs(): number {
    return 17 + this.passedMs;
  }

  get databaseMs(): number {
    return START + this.passedMs + this.aheadMs;
  }

  run(ms: number): void {
    this.passedMs += ms;
  }

  setWallBy(ms: number): void {
    this.setByMs += ms;
  }

  /** A beat; `share`: of the way that is the way there. */
  beat(roundTripMs = 0, share = 0.5): void {
    this.run(roundTripMs * share);
    const { databaseMs } = this;
    this.run(roundTripMs * (1 - share));
    this.clock.observe({ databaseMs, roundTripMs });
  }
}

describe('the clock of the database', () => {
  it('is that of the machine until the database was heard, and then the database’s, also where that is behind', () => {
    const machine = new Machine();
    machine.aheadMs = -60_000;
    expect(machine.clock.now()).toBe(START);
    machine.beat();
    expect([machine.clock.now(), machine.clock.wallTime()]).toEqual([START - 60_000, START - 60_000]);
  });

  it('takes half the round trip for the way back', () => {
    const machine = new Machine();
    machine.aheadMs = 5_000;
    machine.beat(80);
    expect(machine.clock.now()).toBe(machine.databaseMs);
  });

  it('believes the beat with the shortest way', () => {
    const machine = new Machine();
    machine.beat(2);
    for (let count = 0; count < 10; count += 1) machine.beat(1_000, 0.95);
    expect(Math.abs(machine.clock.now() - machine.databaseMs)).toBeLessThanOrEqual(1);
  });

  it('goes on when nobody hears the database, whatever is done to the clock of the machine', () => {
    const machine = new Machine();
    machine.beat();
    machine.setWallBy(3_600_000);
    machine.run(10_000);
    expect(machine.clock.now()).toBe(machine.databaseMs);
    expect(machine.clock.wallTime()).toBe(machine.databaseMs);
  });

  it('follows at once when the database’s clock is set forward', () => {
    const machine = new Machine();
    machine.beat(4);
    machine.aheadMs = 3_000;
    machine.beat(4);
    expect(machine.clock.now()).toBe(machine.databaseMs);
  });

  it('goes half as fast until a database whose clock was set back has caught up', () => {
    const machine = new Machine();
    machine.beat();
    const before = machine.clock.now();
    machine.aheadMs = -1_000;
    machine.beat();
    expect([machine.clock.now(), machine.clock.wallTime()]).toEqual([before, before - 1_000]);
    machine.run(1_000);
    expect(machine.clock.now()).toBe(before + 500);
    machine.run(1_000);
    expect(machine.clock.now()).toBe(machine.databaseMs);
    machine.run(1_000);
    expect(machine.clock.now()).toBe(machine.databaseMs);
  });

  it('follows a machine whose clock drifts', () => {
    const machine = new Machine();
    for (let beat = 0; beat < 1_000; beat += 1) {
      machine.aheadMs -= 0.1;
      machine.run(500);
      machine.beat(2);
    }
    expect(Math.abs(machine.clock.now() - machine.databaseMs)).toBeLessThan(10);
  });

  it('never goes back once the database was heard, and is never behind its own wall clock', () => {
    const step = tuple(
      integer({ min: -10_000, max: 10_000 }),
      integer({ min: 0, max: 500 }),
      integer({ min: 0, max: 3_000 }),
    );
    assert(
      property(array(step, { maxLength: 30 }), (steps) => {
        const machine = new Machine();
        machine.beat();
        let latest = machine.clock.now();
        for (const [setMs, roundTripMs, passedMs] of steps) {
          machine.aheadMs += setMs;
          machine.beat(roundTripMs, 0.3);
          for (const ms of [0, passedMs]) {
            machine.run(ms);
            const now = machine.clock.now();
            expect(now).toBeGreaterThanOrEqual(latest);
            expect(now).toBeGreaterThanOrEqual(machine.clock.wallTime());
            latest = now;
          }
        }
      }),
    );
  });
});
