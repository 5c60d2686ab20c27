import { faultLines } from './fault-lines.js';
import { FlowgateError, wordingOf } from './flowgate-error.js';
import type { Wording } from './wording.js';

/** No error carries more faults than this; the others show once these are mended. */
const MAX_FAULTS = 100;

/** One thing that is wrong in a request. A type, not an interface, so that it is an `ErrorDetail`. */
export type RequestFault = {
  /** The field, or a JSON pointer into the input. */
  readonly path: string;
  /** A sentence without its full stop that says what to send. */
  readonly message: string;
};

/** A request has the wrong shape. */
export class InvalidRequestError extends FlowgateError {
  readonly code = 'invalid-request';

  constructor(
    message: Wording,
    options: { readonly details?: readonly RequestFault[]; readonly detail?: string } = {},
  ) {
    super(message, options);
  }

  /** An error that names every one of at least one fault. */
  static naming(faults: readonly RequestFault[]): InvalidRequestError {
    const details = faults.slice(0, MAX_FAULTS);
    return new InvalidRequestError(faultLines(details.map(({ message }) => message)), { details });
  }
}

/** A run's input violates the workflow's `spec.input`; there is at least one fault, and each is named. */
export class InvalidInputError extends FlowgateError {
  readonly code = 'invalid-input';

  constructor(faults: readonly RequestFault[]) {
    const details = faults.slice(0, MAX_FAULTS).map(({ path, message }) => ({ path, message }));
    const lines = faultLines(details.map(({ message }) => message));
    super(`The input does not fit the workflow:${details.length > 1 ? '\n' : ' '}${lines}`, { details });
  }
}

/** A request's body is not JSON. */
export class MalformedJsonError extends FlowgateError {
  readonly code = 'malformed-json';

  constructor(
    /** What is no JSON about it. */
    readonly reason: string,
    whatToDo = 'send a JSON object, uncompressed and in UTF-8',
  ) {
    super(`The body is not JSON (${reason}): ${whatToDo}`);
  }
}

/** A request's body is over the limit. */
export class BodyTooLargeError extends FlowgateError {
  readonly code = 'body-too-large';

  constructor(maxBytes: number, whatToDo = 'send less, or raise FLOWGATE_MAX_BODY_BYTES') {
    super(`The body is larger than ${maxBytes} bytes: ${whatToDo}`);
  }
}

/** A parser in front of Flowgate has read the body, and what it left is not what was sent. */
export class UnsupportedMediaTypeError extends FlowgateError {
  readonly code = 'unsupported-media-type';

  /** `type` is the content type without its parameters; null if the request has none. */
  constructor(type: string | null) {
    super(
      `A body parser of the host application has read this body${type === null ? '' : ` as ${type}`} before Flowgate ` +
        'could: send it with Content-Type: application/json, or set that parser up after FlowgateModule',
    );
  }
}

/** The path exists, but not for this method. */
export class MethodNotAllowedError extends FlowgateError {
  readonly code = 'method-not-allowed';

  constructor(
    method: string,
    /** The methods in upper case; at least one. */
    readonly allowed: readonly string[],
    /** A second sentence, on what else may be meant. */
    detail?: string,
  ) {
    super(
      `${method} is not possible here: use ${allowed.join(' or ')}`,
      detail === undefined ? {} : { detail },
    );
  }
}

/** A unit's call came to a route that changes something here. */
export class ReentrantCallError extends FlowgateError {
  readonly code = 'self-call';

  constructor() {
    super(
      'This is the call of a unit (it carries X-Flowgate-Run-Id), and a unit may change nothing here: bind the unit to another endpoint, or set FLOWGATE_ALLOW_SELF_CALLS=true',
    );
  }
}

/** What a read is about does not exist. */
export class NotFoundError extends FlowgateError {
  /** What is missing, by the code that operations have that change something; `not-found` is a path. */
  readonly code: 'not-found' | 'unknown-run' | 'no-checkpoint' | 'unknown-workflow' | 'unknown-version';

  constructor(
    message: Wording,
    {
      code = 'not-found',
      ...options
    }: {
      readonly code?: NotFoundError['code'];
      readonly cause?: unknown;
      readonly detail?: Wording;
    } = {},
  ) {
    super(message, options);
    this.code = code;
  }
}

/** An `Idempotency-Key` was reused with another request. */
export class IdempotencyConflictError extends FlowgateError {
  readonly code = 'idempotency-conflict';

  constructor(key: string) {
    super((words) => `${words.idempotencyKey} ${key} stands for another request: ${words.newKey}`);
  }
}

/** The error for an unknown subject, as a read has it: 404, whatever it is where something is to be changed. */
export function asNotFound(cause: FlowgateError & { readonly code: NotFoundError['code'] }): NotFoundError {
  const { message, detail } = wordingOf(cause);
  const { code } = cause;
  return new NotFoundError(message, { code, cause, ...(detail === undefined ? {} : { detail }) });
}
