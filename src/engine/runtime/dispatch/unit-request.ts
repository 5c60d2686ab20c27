import type { JsonObject, JsonValue } from '../../core/json.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import type { Plan, PlanUnit } from '../../core/plan/plan.js';
import { traceOf } from '../../core/ids/span-id.js';
import { inputOf } from '../../core/state/execution-input.js';
import type { RunState } from '../../core/state/state.js';
import type { Execution } from '../../core/waits/execution.js';
import { toObject, viewOf } from '../../core/state/view/state-view.js';
import type { CallContext, UnitRequest } from '../../ports/unit-executor.js';

/** What the unit is given. State and context are only built when they are read. */
export class PlannedUnitRequest implements UnitRequest {
  readonly input: JsonValue;
  readonly #plan: Plan;
  readonly #run: RunState;
  readonly #execution: Execution;
  readonly #unit: PlanUnit;
  readonly #call: UnitCall;
  #state: JsonObject | undefined;
  #context: CallContext | undefined;

  constructor(plan: Plan, run: RunState, execution: Execution, unit: PlanUnit, call: UnitCall) {
    this.#plan = plan;
    this.#run = run;
    this.#execution = execution;
    this.#unit = unit;
    this.#call = call;
    this.input = inputOf(run, execution);
  }

  get state(): JsonObject {
    return (this.#state ??= this.#readState());
  }

  get context(): CallContext {
    return (this.#context ??= this.#readContext());
  }

  #readState(): JsonObject {
    const view = viewOf(this.#plan, this.#run, this.#execution.scope);
    const keys = this.#unit.stateKeys === 'all' ? view.keys() : this.#unit.stateKeys;
    const entries: [string, JsonValue][] = [];
    for (const key of keys) {
      const value = view.get(key);
      if (value !== undefined) entries.push([key, value]);
    }
    return Object.freeze(toObject(entries));
  }

  #readContext(): CallContext {
    const { namespace, workflowId, runId } = this.#run;
    const { unitId, attempt, settings } = this.#execution;
    const { idempotencyKey: executionId, deadlineAt } = this.#call;
    const context = {
      workflowId,
      runId,
      unitId,
      executionId,
      attempt,
      traceId: traceOf(runId),
      deadlineAt,
      config: settings ?? this.#unit.config,
      contextPolicy: this.#unit.contextPolicy,
    };
    return Object.freeze(namespace === DEFAULT_NAMESPACE ? context : { namespace, ...context });
  }
}

/** The part of a request that is not in the run's state. */
export interface UnitCall {
  /** The same text wherever the execution is named. */
  readonly idempotencyKey: string;
  /** Epoch ms, by the wall clock. */
  readonly deadlineAt: number;
}
