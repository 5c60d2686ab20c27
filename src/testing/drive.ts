import type { Engine } from '../engine/index.js';
import type { ManualClock } from '../engine/testing/manual-clock.js';
import type { Sleepers } from './sleepers.js';

/** How long units that do real work are waited for, in real ms, before the clock is moved all the same. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 2;

export interface Driven {
  readonly engine: Pick<Engine, 'inFlight'>;
  readonly clock: ManualClock;
  readonly sleepers: Sleepers;
}

/**
 * Moves the clock from one thing that is due to the next until `isDone`, at most `withinMs` of it: false where that was not
 * enough. The clock stands while a unit does real work, for it would be timed out by a clock that is ahead of it.
 */
export async function drive(
  { engine, clock, sleepers }: Driven,
  isDone: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<boolean> {
  const until = clock.now() + withinMs;
  let patienceEnds: number | null = null;
  for (;;) {
    await clock.advance(0);
    if (await isDone()) return true;
    if (engine.inFlight().units > sleepers.count) {
      patienceEnds ??= performance.now() + PATIENCE_MS;
      if (performance.now() < patienceEnds) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
        continue;
      }
    }
    const { next } = clock;
    if (next === null || next > until) return false;
    await clock.advance(Math.max(0, next - clock.now()));
  }
}
