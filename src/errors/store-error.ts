import { FlowgateError } from './flowgate-error.js';

/** The storage cannot serve: a full disk, a damaged file, a folder in use. The message says what to do. */
export class StoreError extends FlowgateError {
  readonly code = 'store';
  override readonly retryable = true;

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
  }
}
