import { FlowgateError } from './flowgate-error.js';

/** The service takes no new runs any more. */
export class ShuttingDownError extends FlowgateError {
  readonly code = 'shutting-down';
  override readonly retryable = true;

  constructor() {
    super('The service is shutting down: try again once it is back');
  }
}
