import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A quiet moment: the event loop was busy for less than this share of the time between two looks. */
const LITTLE = 0.1;
const LOOK_EVERY_MS = 1_000;
/** A service that is busy from its start on will use the memory. */
const MOST_LOOKS = 10;

type CollectGarbage = (options: {
  readonly type: 'major';
  readonly execution: 'sync';
  /** Returns free memory to the system instead of keeping it for later use. */
  readonly flavor: 'last-resort';
}) => void;

/**
 * Returns to the system, at the first quiet moment, the memory that only the start needed. Reading more than a
 * thousand source files leaves a heap three times as large as its live data, and V8 would keep it for hours in an
 * idle process. Takes about 100 ms, once.
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
