import type { Usage } from '../log/event-base.js';
import type { Plan } from '../plan/plan.js';
import { isUsedUp, type RunBudget } from '../state/run-budget.js';

interface BoundedChild {
  readonly budget: RunBudget | null;
  readonly usage: Usage;
}

/**
 * What a child takes over of a budget that its parent was given with a resume: a lower bound of its own stays, whether from
 * its document or given before. Null: nothing.
 *
 * `includesChild`: the request resumes the child as well. A child that has used up its budget then gets the new one, or it
 * would pause again at once.
 */
export function inheritedBudget(
  plan: Plan,
  child: BoundedChild,
  given: RunBudget | null,
  includesChild: boolean,
): RunBudget | null {
  if (given === null) return null;
  const own = lowestOf(plan, child);
  if (includesChild && isUsedUp(own, child.usage)) return given;
  const maxTokens = unlessAbove(own.maxTokens, given.maxTokens);
  const maxCost = unlessAbove(own.maxCost, given.maxCost);
  return maxTokens === null && maxCost === null ? null : { maxTokens, maxCost };
}

/** The budget that was given to the child; else the lowest that its document has for a unit. */
function lowestOf({ units }: Plan, { budget }: BoundedChild): RunBudget {
  let { maxTokens, maxCost } = { maxTokens: Infinity, maxCost: Infinity };
  for (const unit of units.values()) {
    maxTokens = Math.min(maxTokens, unit.budget?.maxTokens ?? Infinity);
    maxCost = Math.min(maxCost, unit.budget?.maxCost ?? Infinity);
  }
  return {
    maxTokens: budget?.maxTokens ?? (maxTokens === Infinity ? null : maxTokens),
    maxCost: budget?.maxCost ?? (maxCost === Infinity ? null : maxCost),
  };
}

function unlessAbove(own: number | null, given: number | null): number | null {
  return own !== null && given !== null && given > own ? null : given;
}
