import { messageOf } from '../../../errors/flowgate-error.js';
import { beginningOf } from '../../core/turn/failing/beginning-of.js';
import { decide } from '../../core/decide.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Plan } from '../../core/plan/plan.js';
import type { Signal } from '../../core/signal.js';
import { UNBOUNDED } from '../../core/turn/limits/budget.js';
import { NO_LIMITS } from '../../core/turn/limits/limits.js';
import type { RunState } from '../../core/state/state.js';
import type { DecidedBatch } from './decide-batch.js';
import type { InboxMessage } from './inbox/inbox-message.js';
import type { OutcomeSignal } from './undecided-outcomes.js';

/** The most that the log keeps of the message of an internal fault. */
const MAX_FAULT_CHARS = 500;

/** The batch's events, followed by a pause with the cause for each message that could not be decided. `isBesidePreempted` as in `decide`. */
export function withPauses(
  plan: Plan,
  { events, state, results, continuations }: DecidedBatch,
  at: number,
  isBesidePreempted: boolean,
): { readonly events: readonly RunEvent[]; readonly state: RunState } {
  if (results.every(({ kind }) => kind === 'decided')) return { events, state };
  const all = [...events];
  let paused = state;
  for (const result of results) {
    // The callers of other messages are rejected with the fault, and the run stays as it was.
    if (result.kind === 'decided' || !result.message.isKept) continue;
    const executionId = executionIn(result.message);
    const signal = { type: 'undecided', at, executionId, error: faultOf(result.error) } as const;
    const isBeside = isBesidePreempted || continuations.length > 0;
    const turn = decide(plan, paused, signal, NO_LIMITS, UNBOUNDED, isBeside);
    for (const event of turn.events) all.push(event);
    paused = turn.state;
  }
  return { events: all, state: paused };
}

/** The outcome of a unit that a message brings, if it brings one. */
export function outcomeIn({ signals }: InboxMessage): OutcomeSignal | undefined {
  return signals.find(isOutcomeSignal);
}

/** The execution that a message is about. It is frozen, so that it is not called, or refused, again and again. */
export function executionIn(message: InboxMessage): number | null {
  const refusal = message.signals.find(({ type }) => type === 'budget-exceeded');
  if (refusal?.type === 'budget-exceeded') return refusal.executionId;
  return outcomeIn(message)?.executionId ?? null;
}

/** The message of a fault, up to the limit. */
export function faultOf(error: unknown): string {
  return beginningOf(messageOf(error), MAX_FAULT_CHARS);
}

function isOutcomeSignal(signal: Signal): signal is OutcomeSignal {
  return signal.type === 'unit-finished' || signal.type === 'unit-attempt-failed';
}
