/**
 * The meanings of expressions, by the revision that a stored plan names. `first` is that of expressions without anything
 * that came later, so that their plans and hashes stay what they were; builds that do not know `timed` refuse its plans.
 */
export const EVALUATORS = {
  first: 1,
  /** With `now`, `vars`, offsets of time and ISO 8601 durations. */
  timed: 2,
} as const;

export type EvaluatorRevision = (typeof EVALUATORS)[keyof typeof EVALUATORS];
