import type { Fault } from '../../errors/document-errors.js';

/** What kind of a thing is accepted and probably not meant; stable. */
export type WarningCode =
  /** A unit that is in no flow. */
  | 'unused-unit'
  | 'unused-binding'
  | 'unused-var'
  /** Braces of another template language, which are text here. */
  | 'foreign-braces'
  /** A reference to a secret where none is filled in. */
  | 'text-of-a-secret'
  /** A unit of `onCancel` runs with the flow as well. */
  | 'cleaned-up-twice'
  /** What is asked for can never be there. */
  | 'never-there'
  /** What is read is missing on some way through the flow. */
  | 'may-be-missing'
  /** A condition asks for an output that a failed branch has dropped. */
  | 'dropped-output'
  /** A case of a switch that no run comes to. */
  | 'unreachable-case'
  /** What a branch that failed has done is undone only at the end of the run. */
  | 'kept-debt'
  /** A branch that is skipped wins its race. */
  | 'skipped-winner'
  /** A unit starts runs of a workflow that is not registered. */
  | 'unregistered-child';

/** A sentence about what is accepted but probably not meant, and its position; outside of the text there is none. */
export interface DocumentWarning extends Fault {
  readonly code: WarningCode;
}

export function sentencesOf(warnings: readonly DocumentWarning[]): readonly string[] {
  return warnings.map(({ message }) => message);
}
