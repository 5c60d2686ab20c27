import { FlowgateError } from './flowgate-error.js';

/** No workflow of this id is registered. */
export class UnknownWorkflowError extends FlowgateError {
  readonly code = 'unknown-workflow';

  constructor(workflowId: string) {
    super(`Unknown workflow: ${workflowId}`);
  }
}
