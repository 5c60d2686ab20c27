import { FlowgateError } from './flowgate-error.js';

/** The name of a unit is already taken in this process. */
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
 * Thrown by units: what is required cannot be done, and a retry would not help. The unit fails at once, whatever
 * `policy.retry` says; after any other error the unit is tried again. The message becomes the unit's error.
 */
export class NonRetryableError extends Error {
  override readonly name = 'NonRetryableError';
  /** The property by which the engine recognises the error. */
  readonly retryable = false;
}
