import type { RetryPolicy } from '../plan/plan.js';

/**
 * Ms to wait after a failed attempt (counts from 1). The jitter takes away up to half; it comes from a hash
 * of execution and attempt, so that the same log is always written.
 */
export function backoffMs(policy: RetryPolicy, runId: string, executionId: number, attempt: number): number {
  const factor = policy.backoff === 'exponential' ? 2 ** Math.min(attempt - 1, 40) : 1;
  const delay = Math.min(policy.maxMs, policy.baseMs * factor);
  return Math.round(policy.jitter ? delay * (1 - fraction(`${runId}:${executionId}:${attempt}`) / 2) : delay);
}

/** FNV-1a, as a fraction from 0 to 1. */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0) / 2 ** 32;
}
