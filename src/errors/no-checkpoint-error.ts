import { FlowgateError } from './flowgate-error.js';

/** The id is no checkpoint of the run. */
export class NoCheckpointError extends FlowgateError {
  readonly code = 'no-checkpoint';

  constructor(runId: string) {
    super(`No checkpoint found for run: ${runId}`);
  }
}
