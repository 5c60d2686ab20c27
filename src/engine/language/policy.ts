import type { RetryPolicy } from '../core/plan/plan.js';
import type { PolicyDocument } from './document.js';
import type { Language } from './language.js';

/** What the engine does of a unit's policy. */
export interface UnitPolicy {
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
}

/** The language's defaults, under `spec.policy`, under the unit's `policyOverrides`, field by field. */
export function unitPolicy(
  { defaults }: Language,
  common: PolicyDocument | undefined,
  own: PolicyDocument | undefined,
): UnitPolicy {
  const retry = { ...defaults.retry, ...common?.retry, ...own?.retry };
  return {
    retry: { ...retry, maxAttempts: Math.max(1, retry.maxAttempts) },
    timeoutMs: own?.timeout?.unitMs ?? common?.timeout?.unitMs ?? defaults.unitMs,
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
