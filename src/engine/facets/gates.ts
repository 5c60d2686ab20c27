import type { RunRecord } from '../run-record.js';
import type { FamilySteering } from '../runtime/children/family-steering.js';
import type { OpenGate } from '../runtime/requests/open-gates.js';
import type { RunAddress, RunReader } from '../runtime/requests/run-reader.js';
import type { RespondRequest, RunSteering } from '../runtime/requests/run-steering.js';

/** `engine.gates`: hands people's decisions to the runs that wait for them. */
export class Gates {
  constructor(
    private readonly steering: RunSteering,
    private readonly reader: RunReader,
    private readonly family: FamilySteering,
  ) {}

  /**
   * Those of the run that wait for a decision, oldest first; none once it is over. Then those of the runs that it waits
   * for. Throws an `UnknownRunError`.
   */
  async open(address: RunAddress): Promise<readonly OpenGate[]> {
    const own = await this.reader.openGates(address);
    const below = await this.family.openGates(address.runId);
    return below.length === 0 ? own : [...own, ...below];
  }

  /** Throws an `UnknownRunError`, a `RunOverError`, an `AmbiguousGateError`, a `GateDecidedError` or an `IdempotencyConflictError`. */
  respond(request: RespondRequest): Promise<RunRecord> {
    return this.steering.respond(request);
  }
}
