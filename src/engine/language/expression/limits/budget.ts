import type { EvaluationMeter } from '../../../core/plan/expression.js';
import {
  BUILT_ENTRY_WORK,
  CHARACTER_WORK,
  ENTRY_SIZE,
  EVALUATION_WORK,
  MAX_BUILT,
  MAX_WORK,
  MAX_RESULT_CHARACTERS,
  MAX_RESULT_VALUES,
  MAX_STEPS,
  RESULT_KEY_WORK,
  RESULT_VALUE_WORK,
  STEP_WORK,
} from './bounds.js';
import { BoundFault } from '../faults/evaluation-fault.js';

/** What the current evaluation has used of its bounds. */
class Budget {
  steps = 0;
  built = 0;
  work = 0;
  resultValues = 0;
  resultCharacters = 0;
  /** The patterns, least recently used first. */
  readonly patterns = new Set<string>();
}

/** Evaluations are synchronous, so there is one at a time, and the library hands no context to functions. */
let current = new Budget();

/** The meter gets the cost of the evaluation, however that ends. */
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

/** Charges one pass of a comprehension whose body takes that much work. */
export function chargeStep(bodyWork: number): void {
  current.steps += 1;
  if (current.steps > MAX_STEPS) {
    throw new BoundFault(
      `it takes more than ${MAX_STEPS} comprehension steps: loop over fewer items, or in a foreach or a unit`,
    );
  }
  chargeWork(STEP_WORK + bodyWork);
}

/** To be called before the list or the map is built. */
export function chargeEntries(count: number): void {
  chargeWork(count * BUILT_ENTRY_WORK);
  takeSpace(count * ENTRY_SIZE);
}

/** To be called before the text is built. */
export function chargeBuilt(characters: number): void {
  chargeWork(characters * CHARACTER_WORK);
  takeSpace(characters);
}

function takeSpace(characters: number): void {
  current.built += characters;
  if (current.built > MAX_BUILT) {
    throw new BoundFault(
      `it builds more than ${MAX_BUILT} characters (an entry of a list or map counts ${ENTRY_SIZE}): build less`,
    );
  }
}

/** To be called before the work is done; a step is about a nanosecond. */
export function chargeWork(work: number): void {
  current.work += work;
  if (current.work <= MAX_WORK) return;
  // Work beyond the bound is not done, so it does not count.
  current.work = MAX_WORK;
  throw new BoundFault(
    `it takes more work than one expression may (${MAX_WORK} weighted steps, about 50 ms): do less in it, or the ` +
      'work in a foreach or a unit',
  );
}

/** Whether the pattern is one of the `kept` patterns that this evaluation used last. */
export function isPatternInUse(pattern: string, kept: number): boolean {
  const { patterns } = current;
  const isKnown = patterns.delete(pattern);
  patterns.add(pattern);
  const [oldest] = patterns;
  if (patterns.size > kept && oldest !== undefined) patterns.delete(oldest);
  return isKnown;
}

export function chargeResultKey(characters: number): void {
  chargeWork(RESULT_KEY_WORK);
  chargeResult(0, characters);
}

export function chargeResult(values: number, characters: number): void {
  chargeWork(values * RESULT_VALUE_WORK);
  current.resultValues += values;
  current.resultCharacters += characters;
  if (current.resultValues > MAX_RESULT_VALUES) {
    throw new BoundFault(`its result has more than ${MAX_RESULT_VALUES} values: return less`);
  }
  if (current.resultCharacters > MAX_RESULT_CHARACTERS) {
    throw new BoundFault(`its result has more than ${MAX_RESULT_CHARACTERS} characters: return less`);
  }
}
