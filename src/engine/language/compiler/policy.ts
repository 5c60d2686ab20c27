import type { PlanUnit } from '../../core/plan/plan.js';
import type { PolicyDocument } from '../document.js';
import type { Language } from '../language.js';

/** The parts of a unit's policy that the engine applies. */
export type UnitPolicy = Pick<PlanUnit, 'retry' | 'timeoutMs' | 'budget' | 'circuitBreaker' | 'rateLimit'>;

/**
 * Merges field by field: the unit's `policyOverrides` over `spec.policy` over the language's defaults. A run of another
 * workflow has endpoints of its own, but what it spends is the parent's.
 */
export function unitPolicy(
  { defaults }: Language,
  common: PolicyDocument | undefined,
  own: PolicyDocument | undefined,
  kind: PlanUnit['kind'],
): UnitPolicy {
  const isCalled = kind === 'execute';
  const spends = isCalled || kind === 'workflow';
  const retry = { ...defaults.retry, ...common?.retry, ...own?.retry };
  return {
    retry: { ...retry, maxAttempts: Math.max(1, retry.maxAttempts) },
    timeoutMs: own?.timeout?.unitMs ?? common?.timeout?.unitMs ?? defaults.unitMs,
    budget: spends ? budgetOf({ ...common?.budget, ...own?.budget }, defaults) : null,
    circuitBreaker: isCalled
      ? breakerOf({ ...common?.circuitBreaker, ...own?.circuitBreaker }, defaults)
      : null,
    rateLimit: isCalled ? limitOf({ ...common?.rateLimit, ...own?.rateLimit }) : null,
  };
}

type Defaults = Language['defaults'];

/** An `onExceed` without a bound means nothing. */
function budgetOf(
  { maxTokens, maxCost, onExceed }: NonNullable<PolicyDocument['budget']>,
  defaults: Defaults,
): PlanUnit['budget'] {
  if (maxTokens === undefined && maxCost === undefined) return null;
  return {
    maxTokens: maxTokens ?? null,
    maxCost: maxCost ?? null,
    onExceed: onExceed ?? defaults.onExceed,
  };
}

function breakerOf(
  { failureThreshold, resetMs }: NonNullable<PolicyDocument['circuitBreaker']>,
  defaults: Defaults,
): PlanUnit['circuitBreaker'] {
  return failureThreshold === undefined ? null : { failureThreshold, resetMs: resetMs ?? defaults.resetMs };
}

function limitOf({ maxRequestsPerMinute }: NonNullable<PolicyDocument['rateLimit']>): PlanUnit['rateLimit'] {
  return maxRequestsPerMinute === undefined ? null : { maxRequestsPerMinute };
}

/** Fields that apply to the run as a whole, which a unit cannot override. */
export function runOnlyFields(own: PolicyDocument): readonly string[] {
  const fields: string[] = [];
  if (own.concurrency !== undefined) fields.push('concurrency');
  if (own.timeout?.workflowMs !== undefined) fields.push('timeout/workflowMs');
  return fields;
}
