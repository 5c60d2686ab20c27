import { FlowgateError } from './flowgate-error.js';

/** What a reading operation was asked for does not exist. */
export class NotFoundError extends FlowgateError {
  readonly code = 'not-found';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
  }
}
