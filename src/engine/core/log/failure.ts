import type { FailureCode } from '../../vocabulary.js';
import type { Actor } from './actor.js';
import type { NodePath } from './event-base.js';

/** What went wrong, as a `catch` and a `finally` read it: plain JSON. */
export interface Failure {
  readonly code: FailureCode;
  /** The text that the run fails with where nothing catches it. */
  readonly message: string;
  /** The unit that failed; absent: a flow did. */
  readonly unitId?: string;
  /** The HTTP status that the unit answered with last, if it was one. */
  readonly status?: number;
  /** How often the unit was called; 0 for what is not called. */
  readonly attempts: number;
  /** Where it failed. */
  readonly path: NodePath;
  /**
   * A `finally` or a `catch` that rethrows has run on its way: what it undid is gone, so the run is not resumed. Expressions do
   * not see it.
   */
  readonly unwound?: true;
  /** What had failed before, where a `catch` or a `finally` failed then. */
  readonly cause?: Omit<Failure, 'cause' | 'unwound'>;
}

/** The `error` of a run that was not over when it was imported. */
export const UNFINISHED_WHEN_IMPORTED =
  'It was not over when it was imported, and does not go on here: fork it';

/** The `error` of a run that was cancelled. */
export function cancelledBy({ id }: Actor): string {
  return `Cancelled by ${id}`;
}

/** How the error of a run begins whose `policy.timeout.workflowMs` was up. */
export const RUN_OVERRAN = 'The run overran its time-out';
