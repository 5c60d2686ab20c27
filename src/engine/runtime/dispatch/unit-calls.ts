import type { PlanUnit } from '../../core/plan/plan.js';
import type { Execution } from '../../core/waits/execution.js';
import type { Definition } from '../../definitions/definition.js';
import type { UnitExecutor } from '../../ports/unit-executor.js';
import type { Admission } from './admission.js';
import type { CallLauncher } from './attempts/call-launcher.js';
import type { Deadlines } from './attempts/deadlines.js';
import type { Attempts } from '../telemetry/attempts.js';
import type { Endpoints } from './endpoints/endpoints.js';

/** How the units of all runs of this process are called. */
export interface UnitCalls {
  readonly admission: Admission;
  readonly launcher: CallLauncher;
  readonly deadlines: Deadlines;
  /** The endpoints, where calls wait for a circuit breaker or a rate limit. */
  readonly endpoints: Endpoints;
  /** Observers of the attempts. */
  readonly attempts: Pick<Attempts, 'watch'>;
  /** The longest that one attempt may take; longer time-outs are reduced to it. */
  readonly maxUnitMs: number;
  /** While the engine is closing, nothing new is called. */
  isClosing(): boolean;
  /** Null when nothing is registered under the unit's `uses`: the run waits. */
  executorFor(definition: Definition, unit: PlanUnit): UnitExecutor | null;
  /** Whether any unit of the workflow may be pure (`UnitExecutor.isPure`). Costs next to nothing. */
  mayBePure(definition: Definition): boolean;
  /** Whether the unit calls an endpoint; circuit breakers and rate limits do not apply to what is done here. */
  hasEndpoint(unit: PlanUnit): boolean;
  /** The address without credentials and query, or the `uses` of code. `execution` has its settings opened. */
  endpointOf(definition: Definition, unit: PlanUnit, execution: Execution): string;
  /** How long one call may take: the shorter of the binding's limit and the scheduled time-out. */
  timeoutOf(definition: Definition, unit: PlanUnit, execution: Execution): number;
  /** Recovers the run once `uses` is registered, and logs that it waits. */
  awaitUnit(uses: string, runId: string): void;
}
