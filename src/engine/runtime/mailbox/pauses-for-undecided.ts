import { messageOf } from '../../../errors/flowgate-error.js';
import { decide } from '../../core/decide.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Plan } from '../../core/plan/plan.js';
import type { Signal } from '../../core/signal.js';
import type { RunState } from '../../core/state/state.js';
import type { DecidedBatch } from './decide-batch.js';
import type { Mail } from './mail.js';
import type { Answer } from './undecided-answers.js';

/** Of a fault of ours, so much stands in the log. */
const MAX_FAULT_CHARS = 500;

/** The batch's events, and after them a pause, with the cause, for each mail on which no decision could be made. */
export function withPauses(
  plan: Plan,
  { events, state, outcomes }: DecidedBatch,
  at: number,
): { readonly events: readonly RunEvent[]; readonly state: RunState } {
  if (outcomes.every(({ kind }) => kind === 'decided')) return { events, state };
  const all = [...events];
  let paused = state;
  for (const outcome of outcomes) {
    // Whoever waits for the others is told the fault, and the run stays as it was.
    if (outcome.kind === 'decided' || !outcome.mail.isKept) continue;
    const executionId = executionIn(outcome.mail);
    const turn = decide(plan, paused, { type: 'undecided', at, executionId, error: faultOf(outcome.error) });
    for (const event of turn.events) all.push(event);
    paused = turn.state;
  }
  return { events: all, state: paused };
}

/** The answer of a unit that a mail brings, if it brings one. */
export function answerIn({ signals }: Mail): Answer | undefined {
  return signals.find(isAnswer);
}

/** The execution that a mail is of: what is held, so that it is not called, or refused, again and again. */
export function executionIn(mail: Mail): number | null {
  const refusal = mail.signals.find(({ type }) => type === 'budget-exceeded');
  if (refusal?.type === 'budget-exceeded') return refusal.executionId;
  return answerIn(mail)?.executionId ?? null;
}

/** What a fault says, as far as it is told. */
export function faultOf(error: unknown): string {
  return messageOf(error).slice(0, MAX_FAULT_CHARS);
}

function isAnswer(signal: Signal): signal is Answer {
  return signal.type === 'unit-finished' || signal.type === 'unit-attempt-failed';
}
