import { FlowgateError } from './flowgate-error.js';

/** Several gates are open and the decision does not say for which it is. */
export class AmbiguousGateError extends FlowgateError {
  readonly code = 'ambiguous-gate';

  constructor(
    gates: readonly { readonly gateId: number; readonly unitId: string; readonly title: string }[],
  ) {
    super('Several gates are open: name one of them by gateId', { details: gates });
  }
}
