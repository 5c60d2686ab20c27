import type { RunEvent } from '../core/log/event.js';

/** Whether a run can have paused with this event: whether it did, its status after the event says. */
export function mayPause({ type }: RunEvent): boolean {
  switch (type) {
    case 'gate-opened':
    case 'paused':
    case 'unit-failed':
    case 'unit-finished':
    case 'timer-fired':
    case 'child-paused':
    case 'child-ended':
    case 'child-refused':
      return true;
    default:
      return false;
  }
}
