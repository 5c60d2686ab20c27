import type { RunEvent } from '../../../core/log/event.js';
import type { RunState } from '../../../core/state/state.js';
import { deadlineOf } from '../../../core/state/status.js';

/**
 * Whether the engine itself came to this event, by its threads, from the state before it. All else came from outside, or
 * follows from what did at an instant that the log does not tell: outcomes, decisions, child notifications, what was due,
 * requests of people, and what a setting or a crash of the process made of the run.
 */
export function isEngineEvent(event: RunEvent, before: RunState): boolean {
  switch (event.type) {
    case 'unit-scheduled':
    case 'unit-skipped':
    case 'state-written':
    case 'branch-chosen':
    case 'items-opened':
    case 'condition-read':
    case 'branch-closed':
    case 'node-closed':
    case 'gate-opened':
    case 'timer-set':
    case 'child-started':
    case 'run-completed':
      return true;
    case 'paused':
      return event.reason === 'before' || event.reason === 'after';
    case 'run-failed':
      return !isOverrun(event, before);
    case 'run-cancelled':
      // The end of its clean-up.
      return before.cancelling?.isCleaningUp === true;
    default:
      return false;
  }
}

/** Whether the run's time was up: no thread made it fail. */
function isOverrun({ at, error }: RunEvent & { readonly type: 'run-failed' }, before: RunState): boolean {
  const deadline = before.cancelling === null ? deadlineOf(before) : null;
  return deadline !== null && deadline <= at && error.startsWith('The run overran its time-out');
}
