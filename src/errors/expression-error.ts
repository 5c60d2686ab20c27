import { FlowgateError } from './flowgate-error.js';

/** An expression of a workflow gave no usable value: a missing field, wrong types, or a bound that it broke. */
export class ExpressionError extends FlowgateError {
  readonly code = 'expression';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
  }
}
