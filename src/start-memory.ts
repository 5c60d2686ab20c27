import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A moment without much to do: less than this part of the time between two looks. */
const LITTLE = 0.1;
const LOOK_EVERY_MS = 1_000;
/** A service that is busy from its start on has use for the memory. */
const MOST_LOOKS = 10;

type CollectGarbage = (options: {
  readonly type: 'major';
  readonly execution: 'sync';
  /** Gives back what is free instead of keeping it for what comes. */
  readonly flavor: 'last-resort';
}) => void;

/**
 * Gives back to the system, at the first quiet moment, what only the start needed. Reading a thousand and more source
 * files leaves a heap three times as large as what lives in it, and V8 would keep it for hours where nothing happens.
 * Takes some 100 ms, once.
 */
export function giveBackWhenQuiet(): void {
  let before = performance.eventLoopUtilization();
  let looks = 0;
  const look = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization < LITTLE) giveBack();
    if (utilization < LITTLE || ++looks === MOST_LOOKS) clearInterval(look);
  }, LOOK_EVERY_MS).unref();
}

function giveBack(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as CollectGarbage;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
