import type { RunEvent } from '../../core/log/event.js';
import type { PlanUnit } from '../../core/plan/plan.js';
import type { RunState } from '../../core/state/state.js';
import type { Clock } from '../../ports/clock.js';
import type { RunDriver } from '../../ports/run-driver.js';
import type { RunStore } from '../../ports/run-store.js';
import type { UnitExecutor } from '../../ports/unit-executor.js';
import type { Admission } from '../dispatch/admission.js';
import type { Definition } from '../../definitions/definition.js';
import type { Fairness } from './fairness.js';
import type { EngineLogger } from '../logger.js';

/** A live run, for those who only look at it. */
export interface RunInMemory {
  readonly runId: string;
  readonly definition: Definition;
  /** What is stored. Everything that anyone can see comes from here. */
  readonly durable: RunState;
  /** All events of the run, or null when they are too many or the run was not read from its start. */
  readonly history: readonly RunEvent[] | null;
}

/** What a live run needs of the process around it. */
export interface RunShell {
  readonly store: RunStore;
  readonly driver: RunDriver;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly admission: Admission;
  readonly fairness: Fairness;
  /** While closing, nothing new is called. */
  isClosing(): boolean;
  /** Null when nothing is registered under the unit's `uses`: the run waits. */
  executorFor(definition: Definition, unit: PlanUnit): UnitExecutor | null;
  /** Calls the run again once `uses` is registered, and says that it waits. */
  awaitUnit(uses: string, runId: string): void;
  /** Recovers the run once one of `uses` is registered, and says that it waits. */
  putOffRecovery(uses: readonly string[], runId: string): void;
  /** The run's durable state moved on. */
  changed(run: RunInMemory): void;
  /** The run has nothing to do any more. */
  retire(run: RunInMemory): void;
}
