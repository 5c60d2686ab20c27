import type { RunEvent } from '../../core/log/event.js';
import { isPending } from '../../core/pending.js';
import { NO_USAGE } from '../../core/state/run-budget.js';
import { isChild, type Child } from '../../core/waits/child.js';
import type { ChildRuns, RunInMemory } from '../mailbox/run-shell.js';
import type { BudgetKeeper } from './budget.js';
import type { CallQueue } from './call-queue.js';

/**
 * The child runs that a run is to begin, as far as its budget lets it: in the order in which they came up, among its
 * calls (decision 0088).
 *
 * 1. Of a run without budgets they are seen to at once.
 * 2. One that waits for a person was begun, and reserves nothing until it goes on.
 * 3. Where nothing is left, whoever sees to children finds out whether this one was begun before: that stands in no log
 *    of its parent.
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
    // Others wait for what it has reserved, so it does not wait behind them.
    if (this.budget.holds(child.id) && this.tryToBegin(child)) return;
    this.queue.add({ id: child.id, retryAt: 0 }, 0);
  }

  /** Undefined: it is none, or is not to be begun, or no more, as while its family stands still. */
  toBegin(id: number): Child | undefined {
    return isPending(this.run.durable, id) ? this.open(id) : undefined;
  }

  isMoving(id: number): boolean {
    return this.open(id)?.standing === 'in-flight';
  }

  /** False: it has to wait for others of the run. */
  tryToBegin(child: Child): boolean {
    const { id, standing } = child;
    if (standing !== 'in-flight') return true;
    // Asked for once more, it goes by what is left now.
    this.budget.release(id);
    const reserved = this.budget.check(child);
    if (reserved === 'waits') return false;
    const mayBegin = reserved !== 'refused';
    // What it spends if it was begun is waited for.
    this.budget.hold(id, mayBegin ? reserved : NO_USAGE);
    this.runs.seeTo(this.run, child, mayBegin);
    return true;
  }

  /** What these events say of children that were begun: who stands or ended gives back what it reserved. */
  follow(turn: readonly RunEvent[]): void {
    for (const event of turn) {
      if (event.type === 'child-ended' || event.type === 'child-refused' || event.type === 'child-paused')
        this.budget.release(event.childId);
      else if (event.type === 'child-went-on') this.goesOn(event.childId);
    }
  }

  private open(id: number): Child | undefined {
    const { phase, waits } = this.run.durable;
    const wait = phase === 'live' ? waits.get(id) : undefined;
    return wait !== undefined && isChild(wait) ? wait : undefined;
  }

  /** The run decided on there being nothing left for it; or that it is next after all, since it was given more meanwhile. */
  decided(id: number): void {
    const child = this.open(id);
    if (child === undefined) return;
    this.budget.release(id);
    this.add(child);
  }

  /** Whoever was begun goes on, whatever is left by now. */
  private goesOn(id: number): void {
    const child = this.open(id);
    if (child?.standing !== 'in-flight') return;
    this.budget.release(id);
    const reserved = this.budget.check(child);
    this.budget.hold(id, typeof reserved === 'string' ? NO_USAGE : reserved);
  }
}
