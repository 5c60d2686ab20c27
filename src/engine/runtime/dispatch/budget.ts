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
import type { RunInMemory } from '../run-shell.js';

/**
 * What the executions and child runs of one run that are under way have reserved of its budget, so that concurrent calls
 * do not overshoot it. A child run counts as an execution of its unit.
 *
 * 1. What is stored as used, what is reserved and what one more execution reserves fit into the budget of its unit.
 * 2. An execution reserves what it is expected to use, but no more than is left. Where nothing is known it reserves all
 *    that is left: then it runs alone, and those after it go by what it reported.
 * 3. A reservation lasts from the call until the reported usage is stored, so that one of them always counts. That of a
 *    child run lasts while it moves: one that waits for a person has reported what it spent, and blocks no other.
 * 4. An execution is only blocked while another one has a reservation.
 */
export class BudgetKeeper {
  /** Reservations by execution. Null: nothing was ever reserved, as in a run without budgets. */
  private reservations: Map<number, Usage> | null = null;
  private tokens = 0;
  private cost = 0;
  /** Executions for which nothing is left: the run was notified, and has not decided yet. */
  private refused: Set<number> | null = null;

  constructor(private readonly run: Pick<RunInMemory, 'definition' | 'durable'>) {}

  /** Whether anything of the run is bounded. */
  get isBounded(): boolean {
    const { durable, definition } = this.run;
    return durable.budget !== null || hasBudgets(definition.plan);
  }

  /** What the next execution has to reserve (null: nothing). `waits`: others block it; `refused`: nothing is left. */
  check({ unitId, path }: Pick<Call, 'unitId' | 'path'>): Usage | 'waits' | 'refused' | null {
    if (!this.isBounded) return null;
    const { durable, definition } = this.run;
    const { usage } = durable;
    const budget = budgetOf(definition.plan, durable, { unitId, path });
    const expected = expectedUsage(durable, unitId);
    // It has no bound, but what it uses counts for others.
    if (budget === null) return expected === null || expected === NO_USAGE ? null : expected;
    const isAlone = this.reservations === null || this.reservations.size === 0;
    // Where a refusal fails the run, it has to wait for what is under way: what that cost would be lost.
    if (isUsedUp(budget, usage)) return isAlone || budget.onExceed === 'pause' ? 'refused' : 'waits';
    const reserved = withinWhatIsLeft(budget, usage, expected);
    const inAll = {
      tokens: usage.tokens + this.tokens + reserved.tokens,
      cost: usage.cost + this.cost + reserved.cost,
    };
    return isAlone || isWithin(budget, inAll) ? reserved : 'waits';
  }

  /** The execution is called. */
  reserve(executionId: number, reserved: Usage | null): void {
    if (reserved === null) return;
    (this.reservations ??= new Map()).set(executionId, reserved);
    this.tokens += reserved.tokens;
    this.cost += reserved.cost;
  }

  hasReserved(executionId: number): boolean {
    return this.reservations?.has(executionId) ?? false;
  }

  /** What the execution used is stored, or will never be known. Idempotent. */
  release(executionId: number): void {
    const { reservations } = this;
    const reserved = reservations?.get(executionId);
    if (reservations === null || reserved === undefined) return;
    reservations.delete(executionId);
    // Reset to 0 when no reservation is left: rounding errors of fractions would add up.
    this.tokens = reservations.size === 0 ? 0 : this.tokens - reserved.tokens;
    this.cost = reservations.size === 0 ? 0 : this.cost - reserved.cost;
  }

  /** Releases what is no longer under way. */
  releaseUnless(isUnderWay: (executionId: number) => boolean): void {
    if (this.reservations === null) return;
    for (const executionId of this.reservations.keys())
      if (!isUnderWay(executionId)) this.release(executionId);
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

  /** The refusal was decided. Returns whether there was one: the run may have been given more budget since. */
  readmit(executionId: number): boolean {
    return this.refused?.delete(executionId) ?? false;
  }
}

/** The expected usage, limited to what is left of each bound; all that is left where nothing is known. */
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
