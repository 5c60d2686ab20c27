import { FlowgateError } from './flowgate-error.js';

/** The workflow has no such run, or nothing can be done with it any more (`detail` says why). */
export class UnknownRunError extends FlowgateError {
  readonly code = 'unknown-run';

  constructor(runId: string, detail?: string) {
    super(`Unknown run: ${runId}`, detail === undefined ? {} : { detail });
  }
}
