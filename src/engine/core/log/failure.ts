import type { RunEvent } from './event.js';

/** Why the run is over, if it failed or was cancelled with this event: the `error` of its record. */
export function failureIn(event: RunEvent): string | null {
  switch (event.type) {
    case 'run-failed':
      return event.error;
    case 'run-cancelled':
      return `Cancelled by ${event.by.id}`;
    default:
      return null;
  }
}
