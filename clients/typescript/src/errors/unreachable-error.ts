import { FlowgateClientError } from './client-error.js';

/** Nothing answered: no connection, one that broke, or none within the time. `cause` is what the network said. */
export class FlowgateUnreachableError extends FlowgateClientError {
  override readonly name: string = 'FlowgateUnreachableError';
  /** `TIMEOUT`, `ENGINE_MISSING`, or what the system calls it (`ECONNREFUSED`), where it says. */
  readonly code: string | undefined;

  constructor(
    message: string,
    options: { readonly code?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, options);
    this.code = options.code;
  }
}
