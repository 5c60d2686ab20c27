import { performance } from 'node:perf_hooks';

/** Measures how busy this process is, so that work that can wait gives way to work that cannot. */
export interface Load {
  /**
   * Begins to measure; the returned function tells how busy the process was since then: 0 (idle) to 1 (it could not do
   * more).
   */
  measure(): () => number;
}

/** What waits for the store. */
interface Queue {
  /** The most that waited at once since this was asked last. */
  takeMost(): number;
}

/** So many runs that wait for their append at once show a store that is as busy as it can be. */
const FULL_QUEUE = 16;

/**
 * The share of time in which the event loop did not wait, or how full the store's queue was, whichever is higher: with a
 * store in threads of its own, the loop waits for it under the greatest load. A caller must do nothing while it measures, or
 * it measures itself.
 */
export function processLoad(queue: Queue): Load {
  return {
    measure: () => {
      queue.takeMost();
      const before = performance.eventLoopUtilization();
      return () => {
        const { utilization } = performance.eventLoopUtilization(before);
        return Math.max(utilization, Math.min(1, queue.takeMost() / FULL_QUEUE));
      };
    },
  };
}
