import type { PlanUnit } from '../../core/plan/plan.js';
import type { Definition } from '../../definitions/definition.js';
import type { UnitExecutor } from '../../ports/unit-executor.js';
import type { Admission } from './admission.js';
import type { CallLauncher } from './call-launcher.js';
import type { Deadlines } from './deadlines.js';

/** How the units of all runs of this process are called. */
export interface UnitCalls {
  readonly admission: Admission;
  readonly launcher: CallLauncher;
  readonly deadlines: Deadlines;
  /** The longest that one attempt may take; what was scheduled for longer is cut to it. */
  readonly maxUnitMs: number;
  /** While closing, nothing new is called. */
  isClosing(): boolean;
  /** Null when nothing is registered under the unit's `uses`: the run waits. */
  executorFor(definition: Definition, unit: PlanUnit): UnitExecutor | null;
  /** Calls the run again once `uses` is registered, and says that it waits. */
  awaitUnit(uses: string, runId: string): void;
}
