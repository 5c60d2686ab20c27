import { FlowgateError } from './flowgate-error.js';

/** The name of a unit is taken in this process. */
export class DuplicateUnitError extends FlowgateError {
  readonly code = 'duplicate-unit';

  /** `first`, `second`: where the name was given, in words. */
  constructor(uses: string, { first, second }: { readonly first: string; readonly second: string }) {
    super(
      `The unit ${uses} is registered by ${first} and again by ${second}: give one of them another name, or leave it out`,
      { details: [{ uses, first, second }] },
    );
  }
}

/**
 * For units to throw: what they were asked for cannot be done, and would not be if it were asked for again. The unit fails
 * at once, whatever `policy.retry` says; anything else that a unit throws is tried again. The message is the unit's error.
 */
export class NonRetryableError extends Error {
  override readonly name = 'NonRetryableError';
  /** What the engine goes by. */
  readonly retryable = false;
}
