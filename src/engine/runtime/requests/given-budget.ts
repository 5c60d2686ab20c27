import { InvalidRequestError } from '../../../errors/request-errors.js';
import type { RunBudget } from '../../core/state/run-budget.js';
import { MOST_COST, MOST_TOKENS } from '../../request-limits.js';

/** What a run may spend, as the request to resume it says; absent or null: as it is. */
export interface GivenBudget {
  /** A whole number from 0. */
  readonly maxTokens?: number | null | undefined;
  /** From 0, in the currency that the units report. */
  readonly maxCost?: number | null | undefined;
}

const FIELDS: ReadonlySet<string> = new Set(['maxTokens', 'maxCost'] satisfies (keyof GivenBudget)[]);

/** Null where nothing is given. Throws an `InvalidRequestError`. */
export function checkedBudget(given: GivenBudget | null | undefined): RunBudget | null {
  if (given === null || given === undefined) return null;
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new InvalidRequestError('budget must be an object: give maxTokens, maxCost or both');
  }
  const unknown = Object.keys(given).find((field) => !FIELDS.has(field));
  if (unknown !== undefined) {
    throw new InvalidRequestError(`budget has no ${unknown}: give maxTokens, maxCost or both`);
  }
  const { maxTokens = null, maxCost = null } = given;
  if (maxTokens !== null && !(Number.isInteger(maxTokens) && isFrom0To(maxTokens, MOST_TOKENS))) {
    throw new InvalidRequestError(`budget.maxTokens must be a whole number from 0 to ${MOST_TOKENS}`);
  }
  if (maxCost !== null && !isFrom0To(maxCost, MOST_COST)) {
    throw new InvalidRequestError(`budget.maxCost must be a number from 0 to ${MOST_COST}`);
  }
  return maxTokens === null && maxCost === null ? null : { maxTokens, maxCost };
}

function isFrom0To(figure: unknown, most: number): boolean {
  return typeof figure === 'number' && figure >= 0 && figure <= most;
}
