import { performance } from 'node:perf_hooks';
import type { MailInHand } from '../mailbox/mail-in-hand.js';

/** How busy this process is, so that work that can wait gives way to work that cannot. */
export interface Load {
  /** Begins to measure; the answer tells how busy it was since then, 0 (idle) to 1 (it could not do more). */
  measure(): () => number;
}

/** So many runs that wait for their append at once show a store that is as busy as it can be. */
const FULL_QUEUE = 16;

/**
 * What the event loop did not spend waiting, or how long the store's queue was, whichever says more: with a store in
 * threads of its own, the loop waits for it under the greatest load. Whoever measures must do nothing meanwhile, or it
 * measures itself.
 */
export function processLoad(inHand: Pick<MailInHand, 'takeMost'>): Load {
  return {
    measure: () => {
      inHand.takeMost();
      const before = performance.eventLoopUtilization();
      return () => {
        const { utilization } = performance.eventLoopUtilization(before);
        return Math.max(utilization, Math.min(1, inHand.takeMost() / FULL_QUEUE));
      };
    },
  };
}
