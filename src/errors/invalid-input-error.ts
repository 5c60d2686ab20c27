import type { ErrorDetail } from './flowgate-error.js';
import { FlowgateError } from './flowgate-error.js';

/** A run's input breaks the workflow's `spec.input`. */
export class InvalidInputError extends FlowgateError {
  readonly code = 'invalid-input';

  constructor(faults: readonly { readonly path: string; readonly message: string }[]) {
    const details: readonly ErrorDetail[] = faults.map(({ path, message }) => ({ path, message }));
    super(`The input does not fit the workflow: ${faults[0]?.message ?? 'it is not valid'}`, { details });
  }
}
