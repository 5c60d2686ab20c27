import { FlowgateError } from './flowgate-error.js';

/** A request's body is over the limit. */
export class BodyTooLargeError extends FlowgateError {
  readonly code = 'body-too-large';

  constructor(maxBytes: number) {
    super(`The body is larger than ${maxBytes} bytes: send less, or raise FLOWGATE_MAX_BODY_BYTES`);
  }
}
