import { FlowgateError } from './flowgate-error.js';

/** An `Idempotency-Key` came again with another request. */
export class IdempotencyConflictError extends FlowgateError {
  readonly code = 'idempotency-conflict';

  constructor(key: string) {
    super(`The Idempotency-Key ${key} stands for another request: send a new key`);
  }
}
