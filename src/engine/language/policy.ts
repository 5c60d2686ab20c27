import type { RetryPolicy } from '../core/plan/plan.js';
import type { PolicyDocument } from './document.js';

/** What the engine does of a unit's policy. */
export interface UnitPolicy {
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
}

const DEFAULT_UNIT_MS = 120_000;
export const DEFAULT_MAX_PARALLEL_UNITS = 16;

/** The language page's defaults, under `spec.policy`, under the unit's `policyOverrides`, field by field. */
export function unitPolicy(common: PolicyDocument | undefined, own: PolicyDocument | undefined): UnitPolicy {
  const retry = { ...common?.retry, ...own?.retry };
  return {
    retry: {
      maxAttempts: Math.max(1, retry.maxAttempts ?? 3),
      backoff: retry.backoff ?? 'exponential',
      baseMs: retry.baseMs ?? 200,
      maxMs: retry.maxMs ?? 30_000,
      jitter: retry.jitter ?? true,
    },
    timeoutMs: own?.timeout?.unitMs ?? common?.timeout?.unitMs ?? DEFAULT_UNIT_MS,
  };
}

/** Policies that this version does not carry out, by field name. */
export const LATER_POLICIES = ['budget', 'circuitBreaker', 'rateLimit'] as const;

/** Fields that mean the run as a whole, which a unit cannot override. */
export function runOnlyFields(own: PolicyDocument): readonly string[] {
  const fields: string[] = [];
  if (own.concurrency !== undefined) fields.push('concurrency');
  if (own.timeout?.workflowMs !== undefined) fields.push('timeout/workflowMs');
  return fields;
}
