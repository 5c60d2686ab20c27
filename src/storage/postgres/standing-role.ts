import { sleep, type Clock } from '../../engine/ports/clock.js';
import type { Query } from './database/database.js';
import { recordStanding } from './lists/standing.js';

const EVERY_MS = 5_000;

/**
 * The work of the role `standing`: counts for all replicas what has not ended, until the signal fires. What was counted last is read
 * by `countStanding` for a while after that.
 */
export async function keepStanding(query: Query, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await recordStanding(query);
    await sleep(clock, EVERY_MS, signal);
  }
}
