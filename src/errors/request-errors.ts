import { type ErrorDetail, FlowgateError } from './flowgate-error.js';

/** A request of the wrong shape. */
export class InvalidRequestError extends FlowgateError {
  readonly code = 'invalid-request';

  constructor(message: string, details?: readonly ErrorDetail[]) {
    super(message, details === undefined ? {} : { details });
  }
}

/** A run's input breaks the workflow's `spec.input`. */
export class InvalidInputError extends FlowgateError {
  readonly code = 'invalid-input';

  constructor(faults: readonly { readonly path: string; readonly message: string }[]) {
    const details: readonly ErrorDetail[] = faults.map(({ path, message }) => ({ path, message }));
    super(`The input does not fit the workflow: ${faults[0]?.message ?? 'it is not valid'}`, { details });
  }
}

/** A request's body is not JSON. */
export class MalformedJsonError extends FlowgateError {
  readonly code = 'malformed-json';

  constructor(reason: string) {
    super(`The body is not JSON (${reason}): send a JSON object, uncompressed and in UTF-8`);
  }
}

/** A request's body is over the limit. */
export class BodyTooLargeError extends FlowgateError {
  readonly code = 'body-too-large';

  constructor(maxBytes: number) {
    super(`The body is larger than ${maxBytes} bytes: send less, or raise FLOWGATE_MAX_BODY_BYTES`);
  }
}

/** The path exists, but not for this method. */
export class MethodNotAllowedError extends FlowgateError {
  readonly code = 'method-not-allowed';

  constructor(
    method: string,
    /** In upper case; at least one. */
    readonly allowed: readonly string[],
  ) {
    super(`${method} is not possible here: use ${allowed.join(' or ')}`);
  }
}

/** What a reading operation was asked for does not exist. */
export class NotFoundError extends FlowgateError {
  readonly code = 'not-found';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
  }
}

/** An `Idempotency-Key` came again with another request. */
export class IdempotencyConflictError extends FlowgateError {
  readonly code = 'idempotency-conflict';

  constructor(key: string) {
    super(`The Idempotency-Key ${key} stands for another request: send a new key`);
  }
}
