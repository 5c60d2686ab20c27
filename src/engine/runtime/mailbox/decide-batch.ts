import { decide } from '../../core/decide.js';
import { budgetWithout, type Budget, type Spent } from '../../core/turn/budget.js';
import type { Limits } from '../../core/turn/limits.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Plan } from '../../core/plan/plan.js';
import type { Rest, Signal } from '../../core/signal.js';
import type { RunState } from '../../core/state/state.js';
import type { Mail } from './mail.js';

/** What became of one mail. */
export type Outcome =
  | { readonly kind: 'decided'; readonly mail: Mail; readonly changed: boolean }
  /** A fault in deciding: a fault of ours, or a plan that does not fit its log. Nothing of the mail was taken over. */
  | { readonly kind: 'undecided'; readonly mail: Mail; readonly error: unknown };

export interface DecidedBatch {
  readonly events: readonly RunEvent[];
  readonly state: RunState;
  /** By mail, in order; those that have none were left, for the budget was spent. */
  readonly outcomes: readonly Outcome[];
  /** What turns that were cut short left to do. */
  readonly rests: readonly Rest[];
  /** Something was left: mails, or the rest of a turn. */
  readonly isCut: boolean;
  /** The mails that are not decided. */
  readonly left: readonly Mail[];
}

interface Decided {
  /** What of the mail was decided. */
  readonly mail: Mail;
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly rests: readonly Rest[];
  readonly budget: Budget;
}

/**
 * Decides mail after mail, the first in any case and the others while the budget lasts. A mail whose decision throws
 * leaves no trace in the events.
 */
export function decideBatch(
  plan: Plan,
  from: RunState,
  batch: readonly Mail[],
  limits: Limits,
  within: Budget,
): DecidedBatch {
  const [only] = batch;
  if (only !== undefined && batch.length === 1) return decideOnly(plan, from, only, limits, within);
  const events: RunEvent[] = [];
  const outcomes: Outcome[] = [];
  const rests: Rest[] = [];
  let state = from;
  let budget = within;
  for (const mail of batch) {
    if (outcomes.length > 0 && isSpent(budget)) break;
    try {
      const decided = decideMail(plan, state, mail, limits, budget);
      for (const event of decided.events) events.push(event);
      rests.push(...decided.rests);
      ({ state, budget } = decided);
      outcomes.push({ kind: 'decided', mail: decided.mail, changed: decided.events.length > 0 });
    } catch (error) {
      outcomes.push({ kind: 'undecided', mail, error });
    }
  }
  const left = outcomes.length < batch.length ? batch.slice(outcomes.length) : NOTHING;
  return { events, state, outcomes, rests, left, isCut: rests.length + left.length > 0 };
}

/** As nearly every batch: nothing has to be gathered. */
function decideOnly(plan: Plan, from: RunState, mail: Mail, limits: Limits, within: Budget): DecidedBatch {
  try {
    const { events, state, rests, mail: decided } = decideMail(plan, from, mail, limits, within);
    const outcomes: Outcome[] = [{ kind: 'decided', mail: decided, changed: events.length > 0 }];
    return { events, state, outcomes, rests, left: NOTHING, isCut: rests.length > 0 };
  } catch (error) {
    const outcomes: Outcome[] = [{ kind: 'undecided', mail, error }];
    return { events: NOTHING, state: from, outcomes, rests: NOTHING, left: NOTHING, isCut: false };
  }
}

const NOTHING: readonly never[] = [];

function isSpent({ steps, chars, events }: Budget): boolean {
  return steps === 0 || chars === 0 || events === 0;
}

/**
 * All signals of one mail; a keyed request that none of them served is noted, so that its key is kept. A pause whose
 * answer still cannot be decided upon stays, and keeps the others that the same resume lifts from nothing.
 */
function decideMail(plan: Plan, from: RunState, mail: Mail, limits: Limits, within: Budget): Decided {
  const [only] = mail.signals;
  if (only !== undefined && mail.signals.length === 1 && mail.key === null) {
    const { events, state, rest, spent } = decide(plan, from, only, limits, within);
    return { mail, events, state, rests: rest === null ? NOTHING : [rest], budget: leftOf(within, spent) };
  }
  const events: RunEvent[] = [];
  const rests: Rest[] = [];
  let state = from;
  let budget = within;
  const take = (signal: Signal): void => {
    const decided = decide(plan, state, signal, limits, budget);
    for (const event of decided.events) events.push(event);
    if (decided.rest !== null) rests.push(decided.rest);
    state = decided.state;
    budget = leftOf(budget, decided.spent);
  };
  const done: Signal[] = [];
  let fault: { readonly error: unknown } | null = null;
  for (const together of withTheirAnswers(mail.signals)) {
    const before = { state, budget };
    const [eventsBefore, restsBefore] = [events.length, rests.length];
    try {
      together.forEach(take);
      done.push(...together);
    } catch (error) {
      if (together.length === 1) throw error;
      fault = { error };
      ({ state, budget } = before);
      events.length = eventsBefore;
      rests.length = restsBefore;
    }
  }
  if (fault !== null && events.length === 0) throw fault.error;
  if (events.length === 0 && mail.key !== null && mail.key.request !== 'start') {
    take({ type: 'note', at: mail.signals[0]?.at ?? state.updatedAt, request: mail.key.request });
  }
  return { mail: fault === null ? mail : { ...mail, signals: done }, events, state, rests, budget };
}

function leftOf(budget: Budget, spent: Spent): Budget {
  return spent.events === 0 && spent.steps === 0 ? budget : budgetWithout(budget, spent);
}

/** Each signal by itself, but a resume with the answer that it lets go (see `UndecidedAnswers`). */
function withTheirAnswers(signals: readonly Signal[]): readonly (readonly Signal[])[] {
  const groups: Signal[][] = [];
  for (const signal of signals) {
    const last = groups.at(-1);
    const isLetGo = signal.type === 'unit-finished' || signal.type === 'unit-attempt-failed';
    if (isLetGo && last?.[0]?.type === 'resume') last.push(signal);
    else groups.push([signal]);
  }
  return groups;
}
