import type { WorkflowText } from './workflow-source.js';

/** The reader of documents is a fifth of the client, and the service has it as well. */
export function checkedWorkflowId(): string {
  throw new TypeError(
    'flowgate-client/remote has no reader of workflows: ask validateOnService, or import flowgate-client',
  );
}

/** The service checks what it registers. */
export function checkBeforeSending(_document: WorkflowText): void {
  return undefined;
}
