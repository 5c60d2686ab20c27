import { NotFoundError } from './request-errors.js';
import type { NoCheckpointError, UnknownRunError, UnknownWorkflowError } from './run-errors.js';

/** The error for an unknown subject, as a read has it: 404, whatever it is where something is to be changed. */
export function asNotFound(cause: UnknownWorkflowError | UnknownRunError | NoCheckpointError): NotFoundError {
  const { message, code, detail } = cause;
  return new NotFoundError(message, { code, cause, ...(detail === undefined ? {} : { detail }) });
}
