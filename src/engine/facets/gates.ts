import type { RunRecord } from '../run-record.js';
import type { RespondRequest, RunSteering } from '../runtime/requests/run-steering.js';

/** `engine.gates`: hands people's decisions to the runs that wait for them. */
export class Gates {
  constructor(private readonly steering: RunSteering) {}

  /** Throws an `UnknownRunError`, a `RunOverError`, an `AmbiguousGateError`, a `GateDecidedError` or an `IdempotencyConflictError`. */
  respond(request: RespondRequest): Promise<RunRecord> {
    return this.steering.respond(request);
  }
}
