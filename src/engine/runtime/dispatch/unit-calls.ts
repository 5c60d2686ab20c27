import type { PlanUnit } from '../../core/plan/plan.js';
import type { Execution } from '../../core/waits/execution.js';
import type { Definition } from '../../definitions/definition.js';
import type { UnitExecutor } from '../../ports/unit-executor.js';
import type { Admission } from './admission.js';
import type { CallLauncher } from './call-launcher.js';
import type { Deadlines } from './deadlines.js';
import type { Attempts } from '../telemetry/attempts.js';
import type { Endpoints } from './endpoints/endpoints.js';

/** How the units of all runs of this process are called. */
export interface UnitCalls {
  readonly admission: Admission;
  readonly launcher: CallLauncher;
  readonly deadlines: Deadlines;
  /** Where calls wait for a circuit breaker or a rate limit. */
  readonly endpoints: Endpoints;
  /** Those who look on while units are called. */
  readonly attempts: Pick<Attempts, 'watch'>;
  /** The longest that one attempt may take; what was scheduled for longer is cut to it. */
  readonly maxUnitMs: number;
  /** While closing, nothing new is called. */
  isClosing(): boolean;
  /** Null when nothing is registered under the unit's `uses`: the run waits. */
  executorFor(definition: Definition, unit: PlanUnit): UnitExecutor | null;
  /** Whether it calls anybody: of what is done here nobody is spared, and nobody waits for it. */
  hasEndpoint(unit: PlanUnit): boolean;
  /** What is called: an address without credentials and query, or the `uses` of code. Given the execution with opened settings. */
  endpointOf(definition: Definition, unit: PlanUnit, execution: Execution): string;
  /** How long one call of it may take, of its binding's limit and what it was scheduled for. */
  timeoutOf(definition: Definition, unit: PlanUnit, execution: Execution): number;
  /** Calls the run again once `uses` is registered, and says that it waits. */
  awaitUnit(uses: string, runId: string): void;
}
