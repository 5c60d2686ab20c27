import { decide } from '../../core/decide.js';
import type { Limits } from '../../core/turn/turn.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Plan } from '../../core/plan/plan.js';
import type { Signal } from '../../core/signal.js';
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
  readonly outcomes: readonly Outcome[];
  /** A turn was cut short. */
  readonly more: boolean;
}

interface Decided {
  /** What of the mail was decided. */
  readonly mail: Mail;
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly more: boolean;
}

/** Decides mail after mail. A mail whose decision throws leaves no trace in the events. */
export function decideBatch(
  plan: Plan,
  from: RunState,
  batch: readonly Mail[],
  limits: Limits,
): DecidedBatch {
  const events: RunEvent[] = [];
  const outcomes: Outcome[] = [];
  let state = from;
  let more = false;
  for (const mail of batch) {
    try {
      const decided = decideMail(plan, state, mail, limits);
      for (const event of decided.events) events.push(event);
      state = decided.state;
      more ||= decided.more;
      outcomes.push({ kind: 'decided', mail: decided.mail, changed: decided.events.length > 0 });
    } catch (error) {
      outcomes.push({ kind: 'undecided', mail, error });
    }
  }
  return { events, state, outcomes, more };
}

/**
 * All signals of one mail; a keyed request that none of them served is noted, so that its key is kept. A pause whose
 * answer still cannot be decided upon stays, and keeps the others that the same resume lifts from nothing.
 */
function decideMail(plan: Plan, from: RunState, mail: Mail, limits: Limits): Decided {
  const [only, ...others] = mail.signals;
  if (only !== undefined && others.length === 0 && mail.key === null)
    return { mail, ...decide(plan, from, only, limits) };
  const events: RunEvent[] = [];
  let state = from;
  let more = false;
  const take = (signal: Signal): void => {
    const decided = decide(plan, state, signal, limits);
    for (const event of decided.events) events.push(event);
    state = decided.state;
    more ||= decided.more;
  };
  const done: Signal[] = [];
  let fault: { readonly error: unknown } | null = null;
  for (const together of withTheirAnswers(mail.signals)) {
    const before: Pick<Decided, 'state' | 'more'> = { state, more };
    const count = events.length;
    try {
      together.forEach(take);
      done.push(...together);
    } catch (error) {
      if (together.length === 1) throw error;
      fault = { error };
      ({ state, more } = before);
      events.length = count;
    }
  }
  if (fault !== null && events.length === 0) throw fault.error;
  if (events.length === 0 && mail.key !== null && mail.key.request !== 'start') {
    take({ type: 'note', at: mail.signals[0]?.at ?? state.updatedAt, request: mail.key.request });
  }
  return { mail: fault === null ? mail : { ...mail, signals: done }, state, events, more };
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
