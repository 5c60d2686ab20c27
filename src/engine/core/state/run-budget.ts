import type { NodePath, Usage } from '../log/event-base.js';
import { runsWhateverEnds, type BudgetPolicy, type Plan } from '../plan/plan.js';
import { PersistentMap } from './collections/persistent-map.js';

/** What a run may spend, as it was given with a resume; null: as the plan has it. */
export interface RunBudget {
  readonly maxTokens: number | null;
  /** In the currency that the units report. */
  readonly maxCost: number | null;
}

/** The most that one execution reported: what the next one is expected to use. */
export interface LargestUsage {
  /** The largest usage of any unit; nothing as long as none was reported. */
  readonly ofAny: Usage;
  readonly byUnit: PersistentMap<string, Usage>;
}

/** The part of a run's state that bounds its usage. */
interface BoundedRun {
  readonly budget: RunBudget | null;
  /** Set while the run is being cancelled. */
  readonly cancelling: object | null;
}

/** The part of a run's state that its expected usage follows from. */
interface UsageSoFar {
  readonly largestUsage: LargestUsage;
  readonly completed: PersistentMap<string, number>;
}

export const NO_USAGE: Usage = { tokens: 0, cost: 0 };
export const NO_LARGEST_USAGE: LargestUsage = { ofAny: NO_USAGE, byUnit: PersistentMap.empty() };

/** Costs are sums of fractions: 0.1 and 0.2 are to reach 0.3, and no more. */
export const COST_SLACK = 1e-9;

/**
 * The bounds of a unit; null: none. A budget that was given with a resume holds for all units: raising it for the one that
 * was paused means the run. A unit without a budget in its plan is paused by it, since its author did not say that it may
 * fail. A cancelled run is cleaned up after, whatever it has spent.
 */
export function budgetOf(
  plan: Plan,
  { budget: given, cancelling }: BoundedRun,
  { unitId, path }: { readonly unitId: string; readonly path: NodePath },
): BudgetPolicy | null {
  if (cancelling !== null || runsWhateverEnds(plan, path)) return null;
  const own = plan.units.get(unitId)?.budget ?? null;
  if (given === null) return own;
  return {
    maxTokens: given.maxTokens ?? own?.maxTokens ?? null,
    maxCost: given.maxCost ?? own?.maxCost ?? null,
    onExceed: own?.onExceed ?? 'pause',
  };
}

/** Whether any unit of the plan has bounds of its own. Computed once for a plan. */
export function hasBudgets({ units }: Plan): boolean {
  let known = WITH_BUDGETS.get(units);
  if (known === undefined) {
    known = [...units.values()].some(({ budget }) => budget !== null);
    WITH_BUDGETS.set(units, known);
  }
  return known;
}

const WITH_BUDGETS = new WeakMap<Plan['units'], boolean>();

/**
 * The field of an event that says that another budget holds from there on; a bound that was not given stays as it was. It is
 * left out where that budget holds already: of many pauses that are lifted together, the first says it.
 */
export function newBudget(
  before: RunBudget | null,
  given: RunBudget | null,
): { readonly budget?: RunBudget } {
  if (given === null) return {};
  const maxTokens = given.maxTokens ?? before?.maxTokens ?? null;
  const maxCost = given.maxCost ?? before?.maxCost ?? null;
  const isNew = maxTokens !== (before?.maxTokens ?? null) || maxCost !== (before?.maxCost ?? null);
  return isNew ? { budget: { maxTokens, maxCost } } : {};
}

/** Whether nothing is left of at least one bound. */
export function isUsedUp({ maxTokens, maxCost }: RunBudget, { tokens, cost }: Usage): boolean {
  return areTokensUsedUp(maxTokens, tokens) || isCostUsedUp(maxCost, cost);
}

/** Whether a usage stays within both bounds. */
export function isWithin({ maxTokens, maxCost }: RunBudget, { tokens, cost }: Usage): boolean {
  return (
    (maxTokens === null || tokens <= maxTokens) && (maxCost === null || cost <= maxCost * (1 + COST_SLACK))
  );
}

/** What was used of the bounds that nothing is left of, and the fields in which a resume raises them. */
export function exceededLimit({ maxTokens, maxCost }: RunBudget, { tokens, cost }: Usage) {
  const used: string[] = [];
  const fields: string[] = [];
  if (areTokensUsedUp(maxTokens, tokens)) {
    used.push(`${inWords(tokens)} of ${inWords(maxTokens)} tokens`);
    fields.push('"maxTokens": …');
  }
  if (isCostUsedUp(maxCost, cost)) {
    used.push(`a cost of ${inWords(cost)} of ${inWords(maxCost)}`);
    fields.push('"maxCost": …');
  }
  return { used: used.join(' and '), budget: `{"budget": {${fields.join(', ')}}}` };
}

/**
 * What one more execution of the unit is expected to use: the most that one has reported, or else the most that one of
 * any unit has; null: nothing is known. A unit that ended without a report uses nothing, which says nothing of others.
 */
export function expectedUsage({ largestUsage, completed }: UsageSoFar, unitId: string): Usage | null {
  const own = largestUsage.byUnit.get(unitId);
  if (own !== undefined) return own;
  if (completed.has(unitId)) return NO_USAGE;
  const { ofAny } = largestUsage;
  return ofAny.tokens > 0 || ofAny.cost > 0 ? ofAny : null;
}

export function withUsage(before: LargestUsage, unitId: string, usage: Usage): LargestUsage {
  const own = before.byUnit.get(unitId) ?? NO_USAGE;
  const largest = largerOf(own, usage);
  if (largest === own) return before;
  return { ofAny: largerOf(before.ofAny, usage), byUnit: before.byUnit.set(unitId, largest) };
}

function largerOf(before: Usage, { tokens, cost }: Usage): Usage {
  if (tokens <= before.tokens && cost <= before.cost) return before;
  return { tokens: Math.max(before.tokens, tokens), cost: Math.max(before.cost, cost) };
}

function areTokensUsedUp(maxTokens: number | null, tokens: number): maxTokens is number {
  return maxTokens !== null && tokens >= maxTokens;
}

function isCostUsedUp(maxCost: number | null, cost: number): maxCost is number {
  return maxCost !== null && cost >= maxCost * (1 - COST_SLACK);
}

/** The figure without the rounding errors of adding fractions. */
function inWords(figure: number): string {
  return String(Number(figure.toPrecision(12)));
}
