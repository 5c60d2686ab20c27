import type { Usage } from '../../core/log/event-base.js';
import {
  budgetOf,
  expectedUsage,
  hasBudgets,
  isUsedUp,
  isWithin,
  NO_USAGE,
  type RunBudget,
} from '../../core/state/run-budget.js';
import type { Call } from '../../core/waits/calls.js';
import type { RunInMemory } from '../mailbox/run-shell.js';

/**
 * What the executions and child runs of one run that are under way have reserved of its budget, so that those that are
 * called side by side do not overshoot it. A child run is to it an execution of its unit.
 *
 * 1. What is stored as used, what is reserved and what one more execution reserves fit into the budget of its unit.
 * 2. One reserves what it is expected to use, and no more than is left; all of that where nothing is known: then it runs
 *    alone, and those after it go by what it reported.
 * 3. A reservation is held from the call until what was reported is stored: in between, neither would count. That of a
 *    child run lasts while it moves: one that waits for a person has told what it spent, and keeps nobody waiting.
 * 4. Who has to wait waits for somebody who holds a reservation.
 */
export class BudgetKeeper {
  /** By execution. Null: nothing was ever reserved, as in a run without budgets. */
  private held: Map<number, Usage> | null = null;
  private tokens = 0;
  private cost = 0;
  /** Nothing is left for these, and that was said to the run, which did not decide upon it yet. */
  private refused: Set<number> | null = null;

  constructor(private readonly run: Pick<RunInMemory, 'definition' | 'durable'>) {}

  /** Whether anything of the run is bounded. */
  get isBounded(): boolean {
    const { durable, definition } = this.run;
    return durable.budget !== null || hasBudgets(definition.plan);
  }

  /** What an execution that is next is to reserve (null: nothing). `waits`: for others; `refused`: nothing is left. */
  check({ unitId }: Pick<Call, 'unitId'>): Usage | 'waits' | 'refused' | null {
    if (!this.isBounded) return null;
    const { durable, definition } = this.run;
    const { usage } = durable;
    const budget = budgetOf(definition.plan, durable, unitId);
    const expected = expectedUsage(durable, unitId);
    // It counts for others all the same.
    if (budget === null) return expected === null || expected === NO_USAGE ? null : expected;
    const isAlone = this.held === null || this.held.size === 0;
    // What was paid for is not to be lost with the run that fails.
    if (isUsedUp(budget, usage)) return isAlone || budget.onExceed === 'pause' ? 'refused' : 'waits';
    const reserved = withinWhatIsLeft(budget, usage, expected);
    const inAll = {
      tokens: usage.tokens + this.tokens + reserved.tokens,
      cost: usage.cost + this.cost + reserved.cost,
    };
    return isAlone || isWithin(budget, inAll) ? reserved : 'waits';
  }

  /** It is called. */
  hold(executionId: number, reserved: Usage | null): void {
    if (reserved === null) return;
    (this.held ??= new Map()).set(executionId, reserved);
    this.tokens += reserved.tokens;
    this.cost += reserved.cost;
  }

  holds(executionId: number): boolean {
    return this.held?.has(executionId) ?? false;
  }

  /** What it used is stored, or nobody will know. More than once is as good as once. */
  release(executionId: number): void {
    const { held } = this;
    const reserved = held?.get(executionId);
    if (held === null || reserved === undefined) return;
    held.delete(executionId);
    // Anew where nothing is left: what adding and taking away fractions leaves behind would add up.
    this.tokens = held.size === 0 ? 0 : this.tokens - reserved.tokens;
    this.cost = held.size === 0 ? 0 : this.cost - reserved.cost;
  }

  /** Lets go of what is under way no more. */
  releaseUnless(isUnderWay: (executionId: number) => boolean): void {
    if (this.held === null) return;
    for (const executionId of this.held.keys()) if (!isUnderWay(executionId)) this.release(executionId);
  }

  refuse(executionId: number): void {
    (this.refused ??= new Set()).add(executionId);
  }

  isRefused(executionId: number): boolean {
    return this.refused?.has(executionId) ?? false;
  }

  refusedIds(): Iterable<number> {
    return this.refused ?? [];
  }

  /** It was decided upon. Answers whether it had been refused: the run may have been given more meanwhile. */
  readmit(executionId: number): boolean {
    return this.refused?.delete(executionId) ?? false;
  }
}

/** What is expected as far as that is left of each bound; all of it where nothing is known. */
function withinWhatIsLeft({ maxTokens, maxCost }: RunBudget, usage: Usage, expected: Usage | null): Usage {
  const unknown = expected === null;
  const { tokens, cost } = expected ?? NO_USAGE;
  return {
    tokens: maxTokens === null ? tokens : atMost(maxTokens - usage.tokens, unknown ? Infinity : tokens),
    cost: maxCost === null ? cost : atMost(maxCost - usage.cost, unknown ? Infinity : cost),
  };
}

function atMost(left: number, wanted: number): number {
  return Math.max(0, Math.min(left, wanted));
}
