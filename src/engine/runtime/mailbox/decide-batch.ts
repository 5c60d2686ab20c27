import { decide } from '../../core/decide.js';
import { budgetWithout, type Budget, type Spent } from '../../core/turn/limits/budget.js';
import type { Limits } from '../../core/turn/limits/limits.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Plan } from '../../core/plan/plan.js';
import type { Continuation, Signal } from '../../core/signal.js';
import type { RunState } from '../../core/state/state.js';
import type { InboxMessage } from './inbox/inbox-message.js';

/** What became of one message. */
export type MessageResult =
  | { readonly kind: 'decided'; readonly message: InboxMessage; readonly changed: boolean }
  /** Deciding threw: a defect of ours, or a plan that does not fit its log. Nothing of the message took effect. */
  | { readonly kind: 'undecided'; readonly message: InboxMessage; readonly error: unknown };

export interface DecidedBatch {
  readonly events: readonly RunEvent[];
  readonly state: RunState;
  /** One per message, in order. Messages without a result were left, because the budget was spent. */
  readonly results: readonly MessageResult[];
  /** What preempted turns left to do. */
  readonly continuations: readonly Continuation[];
  /** Something was left: messages, or the continuation of a turn. */
  readonly isPreempted: boolean;
  /** The messages that are not decided. */
  readonly left: readonly InboxMessage[];
  /** What is left of the turn's budget. */
  readonly budget: Budget;
  /** Units were executed in the turn: how long it took says nothing of the core's work. */
  readonly isMixed?: boolean;
  /** The pure units that are left to execute, in their order, because the turn's bound was spent. Absent: none. */
  readonly pureBacklog?: readonly number[];
}

interface Decided {
  /** The part of the message that was decided. */
  readonly message: InboxMessage;
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly continuations: readonly Continuation[];
  readonly budget: Budget;
}

/**
 * Decides the messages sequentially, the first in any case and the others while the budget lasts. A message whose
 * decision throws leaves no trace in the events. `isBesidePreempted` as in `decide`.
 */
export function decideBatch(
  plan: Plan,
  from: RunState,
  batch: readonly InboxMessage[],
  limits: Limits,
  within: Budget,
  isBesidePreempted = false,
): DecidedBatch {
  const [only] = batch;
  if (only !== undefined && batch.length === 1)
    return decideOnly(plan, from, only, limits, within, isBesidePreempted);
  const events: RunEvent[] = [];
  const results: MessageResult[] = [];
  const continuations: Continuation[] = [];
  let state = from;
  let budget = within;
  for (const message of batch) {
    if (results.length > 0 && isSpent(budget)) break;
    try {
      const isBeside = isBesidePreempted || continuations.length > 0;
      const decided = decideMessage(plan, state, message, limits, budget, isBeside);
      for (const event of decided.events) events.push(event);
      continuations.push(...decided.continuations);
      ({ state, budget } = decided);
      results.push({ kind: 'decided', message: decided.message, changed: decided.events.length > 0 });
    } catch (error) {
      results.push({ kind: 'undecided', message, error });
    }
  }
  const left = results.length < batch.length ? batch.slice(results.length) : NOTHING;
  return {
    events,
    state,
    results,
    continuations,
    left,
    budget,
    isPreempted: continuations.length + left.length > 0,
  };
}

/** The fast path for nearly every batch: nothing has to be collected. */
function decideOnly(
  plan: Plan,
  from: RunState,
  message: InboxMessage,
  limits: Limits,
  within: Budget,
  isBesidePreempted: boolean,
): DecidedBatch {
  try {
    const {
      events,
      state,
      continuations,
      budget,
      message: decided,
    } = decideMessage(plan, from, message, limits, within, isBesidePreempted);
    const results: MessageResult[] = [{ kind: 'decided', message: decided, changed: events.length > 0 }];
    return {
      events,
      state,
      results,
      continuations,
      left: NOTHING,
      budget,
      isPreempted: continuations.length > 0,
    };
  } catch (error) {
    const results: MessageResult[] = [{ kind: 'undecided', message, error }];
    return {
      events: NOTHING,
      state: from,
      results,
      continuations: NOTHING,
      left: NOTHING,
      budget: within,
      isPreempted: false,
    };
  }
}

const NOTHING: readonly never[] = [];

/** Whether nothing more may be done within it. */
export function isSpent({ steps, chars, events }: Budget): boolean {
  return steps === 0 || chars === 0 || events === 0;
}

/**
 * Decides all signals of one message. A keyed request that changed nothing is noted, so that its key is kept. A pause
 * whose outcome still cannot be decided stays, and does not stop the other pauses that the same resume lifts.
 */
function decideMessage(
  plan: Plan,
  from: RunState,
  message: InboxMessage,
  limits: Limits,
  within: Budget,
  isBesidePreempted: boolean,
): Decided {
  const [only] = message.signals;
  if (only !== undefined && message.signals.length === 1 && message.key === null) {
    const { events, state, continuation, spent } = decide(
      plan,
      from,
      only,
      limits,
      within,
      isBesidePreempted,
    );
    return {
      message,
      events,
      state,
      continuations: continuation === null ? NOTHING : [continuation],
      budget: leftOf(within, spent),
    };
  }
  const events: RunEvent[] = [];
  const continuations: Continuation[] = [];
  let state = from;
  let budget = within;
  const take = (signal: Signal): void => {
    const isBeside = isBesidePreempted || continuations.length > 0;
    const decided = decide(plan, state, signal, limits, budget, isBeside);
    for (const event of decided.events) events.push(event);
    if (decided.continuation !== null) continuations.push(decided.continuation);
    state = decided.state;
    budget = leftOf(budget, decided.spent);
  };
  const done: Signal[] = [];
  let fault: { readonly error: unknown } | null = null;
  for (const together of withTheirOutcomes(message.signals)) {
    const before = { state, budget };
    const [eventsBefore, continuationsBefore] = [events.length, continuations.length];
    try {
      together.forEach(take);
      done.push(...together);
    } catch (error) {
      if (together.length === 1) throw error;
      fault = { error };
      ({ state, budget } = before);
      events.length = eventsBefore;
      continuations.length = continuationsBefore;
    }
  }
  if (fault !== null && events.length === 0) throw fault.error;
  if (events.length === 0 && message.key !== null && message.key.request !== 'start') {
    take({ type: 'note', at: message.signals[0]?.at ?? state.updatedAt, request: message.key.request });
  }
  return {
    message: fault === null ? message : { ...message, signals: done },
    events,
    state,
    continuations,
    budget,
  };
}

/** What is left of it after a turn. */
export function leftOf(budget: Budget, spent: Spent): Budget {
  return spent.events === 0 && spent.steps === 0 ? budget : budgetWithout(budget, spent);
}

/** Each signal by itself, but a resume together with the outcome that it releases (see `UndecidedOutcomes`). */
function withTheirOutcomes(signals: readonly Signal[]): readonly (readonly Signal[])[] {
  const groups: Signal[][] = [];
  for (const signal of signals) {
    const last = groups.at(-1);
    const isReleased = signal.type === 'unit-finished' || signal.type === 'unit-attempt-failed';
    if (isReleased && last?.[0]?.type === 'resume') last.push(signal);
    else groups.push([signal]);
  }
  return groups;
}
