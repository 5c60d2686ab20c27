import type { RunEvent } from '../../core/log/event.js';
import { isPending } from '../../core/pending.js';
import { NO_USAGE } from '../../core/state/run-budget.js';
import { isChild, type Child } from '../../core/waits/child.js';
import type { ChildRuns, RunInMemory } from '../run-shell.js';
import type { BudgetKeeper } from './budget.js';
import type { CallQueue } from './call-queue.js';

/**
 * The child runs that a run is to begin, as far as its budget allows: in the order in which they came up, among its
 * calls (decision 0088).
 *
 * 1. In a run without budgets they are seen to at once.
 * 2. A child that waits for a person was begun, and reserves nothing until it continues.
 * 3. Where nothing is left, `ChildRuns.seeTo` finds out whether the child was begun before: its parent's log does not say.
 */
export class ChildrenToBegin {
  constructor(
    private readonly run: RunInMemory,
    private readonly runs: ChildRuns,
    private readonly budget: BudgetKeeper,
    private readonly queue: Pick<CallQueue, 'add'>,
  ) {}

  add(child: Child): void {
    if (child.standing === 'people' || !this.budget.isBounded) return this.runs.seeTo(this.run, child, true);
    // Others are blocked by what it has reserved, so it is not queued after them.
    if (this.budget.hasReserved(child.id) && this.tryToBegin(child)) return;
    this.queue.add({ id: child.id, retryAt: 0 }, 0);
  }

  /** Undefined: it is no child, or not to be begun now, as while its family is paused. */
  toBegin(id: number): Child | undefined {
    return isPending(this.run.durable, id) ? this.open(id) : undefined;
  }

  isMoving(id: number): boolean {
    return this.open(id)?.standing === 'in-flight';
  }

  /** False: other executions of the run block it. */
  tryToBegin(child: Child): boolean {
    const { id, standing } = child;
    if (standing !== 'in-flight') return true;
    // A repeated attempt goes by what is left now.
    this.budget.release(id);
    const reserved = this.budget.check(child);
    if (reserved === 'waits') return false;
    const mayBegin = reserved !== 'refused';
    // If it was begun before, others wait for what it spends.
    this.budget.reserve(id, mayBegin ? reserved : NO_USAGE);
    this.runs.seeTo(this.run, child, mayBegin);
    return true;
  }

  /** Follows the events of children that were begun: one that paused or ended gives back what it reserved. */
  follow(turn: readonly RunEvent[]): void {
    for (const event of turn) {
      if (event.type === 'child-ended' || event.type === 'child-refused' || event.type === 'child-paused')
        this.budget.release(event.childId);
      else if (event.type === 'child-went-on') this.onContinued(event.childId);
    }
  }

  private open(id: number): Child | undefined {
    const { phase, waits } = this.run.durable;
    const wait = phase === 'live' ? waits.get(id) : undefined;
    return wait !== undefined && isChild(wait) ? wait : undefined;
  }

  /** The run decided that nothing is left for the child, or that it is next after all because the budget was raised. */
  decided(id: number): void {
    const child = this.open(id);
    if (child === undefined) return;
    this.budget.release(id);
    this.add(child);
  }

  /** A child that was begun continues, whatever is left by now. */
  private onContinued(id: number): void {
    const child = this.open(id);
    if (child?.standing !== 'in-flight') return;
    this.budget.release(id);
    const reserved = this.budget.check(child);
    this.budget.reserve(id, typeof reserved === 'string' ? NO_USAGE : reserved);
  }
}
