import { FlowgateError } from './flowgate-error.js';

/** Something that a host application gave Flowgate cannot be used. The application does not start. */
export class SetupError extends FlowgateError {
  readonly code = 'setup';

  /** Each fault a sentence, or several lines, that end with what to do; at least one. */
  constructor(faults: readonly string[], options: { readonly cause?: unknown } = {}) {
    super(faults.join('\n'), { ...options, details: faults.map((message) => ({ message })) });
  }
}
