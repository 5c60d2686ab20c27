import { celError } from '@bufbuild/cel';
import { FAILURE_WORK } from './bounds.js';
import { chargeWork } from './budget.js';

/**
 * In CEL a failure is a value: the library makes an `Error` for each, which `||` or a loop may drop a million times over.
 * Some are made without a call of our functions, so all are counted where they are made: in the class that the library's own
 * errors extend.
 */
class CountedError extends Error {
  constructor(message?: string) {
    chargeWork(FAILURE_WORK);
    super(message);
  }
}

/** From now on every failure of an evaluation is charged. Idempotent. */
export function countFailures(): void {
  const libraryError = celError('').constructor;
  if (Object.getPrototypeOf(libraryError) === Error) Object.setPrototypeOf(libraryError, CountedError);
}
