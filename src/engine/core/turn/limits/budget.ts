/**
 * How much one turn may do before it is preempted and others have theirs. What cannot be interrupted (one expression, one
 * event) has bounds of its own, so a turn exceeds its budget by at most one of them.
 */
export interface Budget {
  /** Weighted steps, as expressions count them; events count by their number and size. */
  readonly steps: number;
  /** About how many characters the turn's events hold. */
  readonly chars: number;
  readonly events: number;
}

/** How much of its budget a turn has used. */
export type Spent = Budget;

export const UNBOUNDED: Budget = { steps: Infinity, chars: Infinity, events: Infinity };

/** Stamping and folding one event takes about as long as so many steps of an expression. */
const STEPS_OF_AN_EVENT = 10_000;
/** The ids of deep scopes are long, and looked up many times; what is written is copied. */
const STEPS_OF_A_CHARACTER = 20;

/** The steps that so many events and characters count, next to those of their expressions. */
export function stepsOfEvents(events: number, chars: number): number {
  return events * STEPS_OF_AN_EVENT + chars * STEPS_OF_A_CHARACTER;
}

/** What is left of the budget; never less than 0. */
export function budgetWithout(budget: Budget, spent: Spent): Budget {
  return {
    steps: Math.max(0, budget.steps - spent.steps),
    chars: Math.max(0, budget.chars - spent.chars),
    events: Math.max(0, budget.events - spent.events),
  };
}
