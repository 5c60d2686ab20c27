/**
 * How much one turn may do before it is cut short and others have theirs. What cannot be cut (one expression, one
 * event) has bounds of its own, so a turn does at most so much and one of them.
 */
export interface Budget {
  /** Weighted steps, as expressions count them; events count by their number and size. */
  readonly steps: number;
  /** About how many characters its events hold. */
  readonly chars: number;
  readonly events: number;
}

/** What a turn has done of it. */
export type Spent = Budget;

export const UNBOUNDED: Budget = { steps: Infinity, chars: Infinity, events: Infinity };

/** Stamping and folding one event takes about as long as so many steps of an expression. */
const STEPS_OF_AN_EVENT = 10_000;
/** The ids of deep scopes are long, and looked up many times; what is written is copied. */
const STEPS_OF_A_CHARACTER = 20;

/** What events of so many characters count beside what their expressions did. */
export function stepsOfEvents(events: number, chars: number): number {
  return events * STEPS_OF_AN_EVENT + chars * STEPS_OF_A_CHARACTER;
}

/** What is left of the budget; never less than nothing. */
export function budgetWithout(budget: Budget, spent: Spent): Budget {
  return {
    steps: Math.max(0, budget.steps - spent.steps),
    chars: Math.max(0, budget.chars - spent.chars),
    events: Math.max(0, budget.events - spent.events),
  };
}
