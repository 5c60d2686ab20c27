import { decide } from '../../core/decide.js';
import { isEngineEvent } from '../../core/log/event-kinds.js';
import type { RunFailed } from '../../core/log/event.js';
import type { Failure } from '../../core/log/failure.js';
import type { Plan } from '../../core/plan/plan.js';
import type { Signal } from '../../core/signal.js';
import { ROOT_SCOPE } from '../../core/state/scope.js';
import type { RunState } from '../../core/state/state.js';
import type { Steps } from '../../core/steps.js';
import { UNBOUNDED } from '../../core/turn/limits/budget.js';
import { NO_LIMITS } from '../../core/turn/limits/limits.js';

const ONE_EVENT = { ...UNBOUNDED, events: 1 };
/** Threads that are tried; each may evaluate an expression. */
const MOST_THREADS = 200;

/**
 * What a run failed with, of which its log has one sentence only: found by deciding once more what was decided then. `before`:
 * the state before the event. Null: this version would decide something else there, or too many threads were on their way. May
 * be interrupted after each thread.
 */
export function* failureOfRun(plan: Plan, before: RunState, failed: RunFailed): Steps<Failure | null> {
  for (const signal of signalsFor(before, failed)) {
    const { events, failure } = decide(plan, { ...before, isPauseTold: true }, signal, NO_LIMITS, ONE_EVENT);
    const [event] = events;
    if (event?.type === 'run-failed' && event.error === failed.error) return failure;
    yield;
  }
  return null;
}

/** The run's time was up, or one of its threads failed: which one, the event does not say. */
function* signalsFor(before: RunState, failed: RunFailed): Generator<Signal> {
  const { at } = failed;
  if (!isEngineEvent(failed, before)) return yield { type: 'timer-due', at };
  const scopes = [ROOT_SCOPE];
  before.scopes.forEach(({ cursor }, scope) => {
    if (scope !== ROOT_SCOPE && cursor.phase !== 'waiting' && cursor.phase !== 'closed') scopes.push(scope);
  });
  for (const scope of scopes.slice(0, MOST_THREADS))
    yield { type: 'continue', at, continuation: { interrupted: [scope], ready: [], at } };
}
