import type { EvaluationMeter } from '../../core/plan/expression.js';
import {
  ENTRY_SIZE,
  EVALUATION_WORK,
  MAX_BUILT,
  MAX_WORK,
  MAX_RESULT_CHARACTERS,
  MAX_RESULT_VALUES,
  MAX_STEPS,
  NODE_WORK,
} from './bounds.js';
import { BoundFault } from './evaluation-fault.js';

/** What the evaluation at hand has used of its bounds. */
class Budget {
  steps = 0;
  built = 0;
  work = 0;
  resultValues = 0;
  resultCharacters = 0;
}

/** Evaluations are synchronous, so there is one at a time, and the library hands no context to functions. */
let current = new Budget();

/** The meter is told what the evaluation cost, however it ends. */
export function withBudget<T>(evaluation: () => T, meter?: EvaluationMeter): T {
  const outer = current;
  current = new Budget();
  try {
    return evaluation();
  } finally {
    if (meter !== undefined) meter.steps += EVALUATION_WORK + current.work;
    current = outer;
  }
}

/** One pass of a comprehension whose body has that many nodes. */
export function chargeStep(bodyNodes: number): void {
  current.steps += 1;
  if (current.steps > MAX_STEPS) {
    throw new BoundFault(`it takes more than ${MAX_STEPS} comprehension steps: loop over fewer items`);
  }
  chargeWork(bodyNodes * NODE_WORK);
}

/** Before the list or the map is built. */
export function chargeEntries(count: number): void {
  chargeBuilt(count * ENTRY_SIZE);
}

/** Before the text is built. */
export function chargeBuilt(characters: number): void {
  current.built += characters;
  if (current.built > MAX_BUILT) {
    throw new BoundFault(
      `it builds more than ${MAX_BUILT} characters (an entry of a list or map counts ${ENTRY_SIZE}): build less`,
    );
  }
}

/** Before the characters or entries are looked at. */
export function chargeWork(work: number): void {
  current.work += work;
  if (current.work > MAX_WORK) {
    throw new BoundFault(
      `it takes more work than reading ${MAX_WORK} characters: loop over fewer items, or compare less`,
    );
  }
}

export function chargeResult(values: number, characters: number): void {
  current.resultValues += values;
  current.resultCharacters += characters;
  if (current.resultValues > MAX_RESULT_VALUES) {
    throw new BoundFault(`its result has more than ${MAX_RESULT_VALUES} values: return less`);
  }
  if (current.resultCharacters > MAX_RESULT_CHARACTERS) {
    throw new BoundFault(`its result has more than ${MAX_RESULT_CHARACTERS} characters: return less`);
  }
}
