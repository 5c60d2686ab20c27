import { FlowgateError, type ErrorDetail } from './flowgate-error.js';

/** A request of the wrong shape. */
export class InvalidRequestError extends FlowgateError {
  readonly code = 'invalid-request';

  constructor(message: string, details?: readonly ErrorDetail[]) {
    super(message, details === undefined ? {} : { details });
  }
}
