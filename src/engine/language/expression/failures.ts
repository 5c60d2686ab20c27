import { celError } from '@bufbuild/cel';
import { FAILURE_WORK } from './bounds.js';
import { chargeWork } from './budget.js';

/**
 * In CEL a failure is a value: the library makes an `Error` for each, which `||` or a loop may drop a million times
 * over. Some of them it makes where no function of ours is near, so they are counted where all are made: in front of
 * the class that its own errors extend.
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
