import type { Actor } from './actor.js';

/** The `error` of a run that was not over when it was imported. */
export const UNFINISHED_WHEN_IMPORTED =
  'It was not over when it was imported, and does not go on here: fork it';

/** The `error` of a run that was cancelled. */
export function cancelledBy({ id }: Actor): string {
  return `Cancelled by ${id}`;
}
