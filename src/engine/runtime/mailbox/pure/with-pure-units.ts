import { decide } from '../../../core/decide.js';
import type { RunEvent } from '../../../core/log/event.js';
import { pendingAfter, pendingExecution } from '../../../core/pending.js';
import type { Plan } from '../../../core/plan/plan.js';
import type { Limits } from '../../../core/turn/limits/limits.js';
import type { RunState } from '../../../core/state/state.js';
import type { PureCalls } from '../../dispatch/pure-calls.js';
import { isSpent, leftOf, type DecidedBatch } from '../decide-batch.js';

export interface PureUnitsOptions {
  readonly calls: Pick<PureCalls, 'isOpen' | 'accepts' | 'callsHost' | 'outcomeOf'>;
  readonly limits: Limits;
  /** The pure units that an earlier turn left, in their order: they are next. */
  readonly backlog: readonly number[];
  /** The run is in the store. */
  readonly isStored: boolean;
  /** Whether the turn has taken as long as one may. */
  readonly isOver: () => boolean;
}

/**
 * The batch, followed by what the pure units that it scheduled lead to, unit after unit, for as long as nothing else has
 * to be done for the run: all of it is one append. It ends at the first call, child, wait, gate or back-off, and when the
 * turn's bound is spent: what is left then is the backlog of the next turn (decision 0104).
 *
 * Outcomes are decided in the order in which the dispatcher would have called the units, so where an append ends is all
 * that differs from a run whose units are not pure.
 */
export function withPureUnits(plan: Plan, decided: DecidedBatch, options: PureUnitsOptions): DecidedBatch {
  const { calls, limits, backlog, isStored, isOver } = options;
  if (decided.isPreempted || (decided.events.length === 0 && backlog.length === 0)) return decided;
  if (!calls.isOpen(decided.state) || decided.results.some(({ kind }) => kind === 'undecided'))
    return decided;
  const queue: number[] = [...backlog];
  if (!enqueue(queue, calls, decided.state, decided.events) || queue.length === 0) return decided;
  // Who starts a child begins it again after a crash: it has to be found in the store for its deaths to be counted.
  const mayCallHost = isStored || decided.state.parent === null;
  const events = [...decided.events];
  let { state, budget } = decided;
  for (const [next, id] of queue.entries()) {
    if (isSpent(budget) || isOver())
      return { ...decided, events, state, budget, isMixed: true, pureBacklog: queue.slice(next) };
    const execution = pendingExecution(state, id);
    // Another outcome closed it, or the run is suspended.
    if (execution === undefined) continue;
    if (!mayCallHost && calls.callsHost(execution)) break;
    const turn = orNull(() => {
      const signal = calls.outcomeOf(state, execution, isStored);
      return signal === null ? null : decide(plan, state, signal, limits, budget);
    });
    if (turn === null) break;
    for (const event of turn.events) events.push(event);
    ({ state } = turn);
    budget = leftOf(budget, turn.spent);
    if (turn.continuation !== null) {
      const continuations = [turn.continuation];
      return { ...decided, events, state, budget, continuations, isPreempted: true, isMixed: true };
    }
    if (!calls.isOpen(state) || !enqueue(queue, calls, state, turn.events)) break;
  }
  return { ...decided, events, state, budget, isMixed: true };
}

/** Adds what these events require to the queue. False: something has to be done for which they must be stored. */
function enqueue(
  queue: number[],
  calls: PureUnitsOptions['calls'],
  state: RunState,
  events: readonly RunEvent[],
): boolean {
  for (const command of pendingAfter(state, events).commands) {
    if (command.type !== 'execute-unit' || !calls.accepts(command.execution)) return false;
    queue.push(command.execution.id);
  }
  return true;
}

/** Null where it throws: the unit is called once its scheduling is stored, and the fault is met, and reported, there. */
function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
