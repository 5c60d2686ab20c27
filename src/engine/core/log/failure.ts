import type { RunEvent } from './event.js';

/** The `error` of a run that was not over when it was imported. */
export const UNFINISHED_WHEN_IMPORTED =
  'It was not over when it was imported, and does not go on here: fork it';

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
