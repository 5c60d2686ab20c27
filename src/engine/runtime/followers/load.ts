import { performance } from 'node:perf_hooks';

/** How busy this process is, so that work that can wait gives way to work that cannot. */
export interface Load {
  /** Begins to measure; the answer tells the share of the time since then, 0 to 1, that the process was busy. */
  measure(): () => number;
}

/** What the event loop did not spend waiting. Whoever measures must do nothing meanwhile, or it measures itself. */
export const eventLoopLoad: Load = {
  measure: () => {
    const before = performance.eventLoopUtilization();
    return () => performance.eventLoopUtilization(before).utilization;
  },
};
