import { FlowgateError } from './flowgate-error.js';

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
