import { CLOCK, type Clock } from './clock.ts';

const LOOK_EVERY_MS = 50;
/** Ten minutes of load may have put off several minutes of work. */
const WITHIN_MS = 600_000;

/**
 * Resolves once nothing is left of the work that follows answers, such as what the memory has still to read of the log:
 * otherwise one contender is still at work while the next is measured. `behind` says how much is left.
 */
export async function caughtUp(behind: () => Promise<number>, clock: Clock = CLOCK): Promise<void> {
  const since = clock.now();
  let left = await behind();
  while (left > 0) {
    if (clock.now() - since >= WITHIN_MS)
      throw new Error(`${left} entries of the log are not read after ${WITHIN_MS / 1_000} s without load.`);
    await clock.pause(LOOK_EVERY_MS);
    left = await behind();
  }
}
