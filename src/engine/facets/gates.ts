import type { RunRecord } from '../run-record.js';
import type { OpenGate } from '../runtime/requests/open-gates.js';
import type { RunAddress, RunReader } from '../runtime/requests/run-reader.js';
import type { RespondRequest, RunSteering } from '../runtime/requests/run-steering.js';

/** `engine.gates`: hands people's decisions to the runs that wait for them. */
export class Gates {
  constructor(
    private readonly steering: RunSteering,
    private readonly reader: RunReader,
  ) {}

  /** Those of the run that wait for a decision, oldest first; none once it is over. Throws an `UnknownRunError`. */
  open(address: RunAddress): Promise<readonly OpenGate[]> {
    return this.reader.openGates(address);
  }

  /** Throws an `UnknownRunError`, a `RunOverError`, an `AmbiguousGateError`, a `GateDecidedError` or an `IdempotencyConflictError`. */
  respond(request: RespondRequest): Promise<RunRecord> {
    return this.steering.respond(request);
  }
}
