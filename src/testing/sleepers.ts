import type { Clock } from '../engine/index.js';
import { sleep } from '../engine/ports/clock.js';

/** How many units wait for the clock of the test: nothing real is waited for while they do. */
export interface Sleepers {
  count: number;
}

/** Resolves `ms` later by that clock (never, if they are endless), or when the signal fires. */
export async function asleep(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  sleepers?: Sleepers,
): Promise<void> {
  if (sleepers !== undefined) sleepers.count += 1;
  try {
    if (ms === Infinity) await aborted(signal);
    else await sleep(clock, ms, signal);
  } finally {
    if (sleepers !== undefined) sleepers.count -= 1;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
