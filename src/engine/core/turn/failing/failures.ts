import type { Failure } from '../../log/failure.js';
import type { FailureFacts } from '../../state/scope.js';

/** The failure with what had failed before it; the first cause is kept, however many follow. */
export function withCause(failure: Failure, earlier: Failure | null): Failure {
  if (earlier === null) return failure;
  const { unwound: _unwound, cause, ...last } = earlier;
  return { ...failure, cause: cause ?? last };
}

/** What is known of a failure besides its text and its location. */
export const OF_A_FLOW: FailureFacts = { code: 'fail', attempts: 0 };
