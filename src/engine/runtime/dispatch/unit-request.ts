import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Plan, PlanUnit } from '../../core/plan/plan.js';
import { inputOf } from '../../core/state/execution-input.js';
import type { RunState } from '../../core/state/state.js';
import type { Execution } from '../../core/waits/execution.js';
import { toObject, viewOf } from '../../core/state/state-view.js';
import type { UnitContext, UnitRequest } from '../../ports/unit-executor.js';

/** What the unit is given. The state is put together only when somebody reads it. */
export class PlannedUnitRequest implements UnitRequest {
  readonly input: JsonValue;
  readonly context: UnitContext;
  readonly #plan: Plan;
  readonly #run: RunState;
  readonly #execution: Execution;
  readonly #unit: PlanUnit;
  #state: JsonObject | undefined;

  constructor(plan: Plan, run: RunState, execution: Execution, unit: PlanUnit, deadlineAt: number) {
    this.#plan = plan;
    this.#run = run;
    this.#execution = execution;
    this.#unit = unit;
    this.input = inputOf(run, execution);
    this.context = Object.freeze({
      ...(run.namespace === 'default' ? {} : { namespace: run.namespace }),
      workflowId: run.workflowId,
      runId: run.runId,
      unitId: execution.unitId,
      executionId: `${run.runId}:${execution.key}`,
      attempt: execution.attempt,
      traceId: run.runId.replaceAll('-', ''),
      deadlineAt,
      config: execution.settings ?? unit.config,
      contextPolicy: unit.contextPolicy,
    });
  }

  get state(): JsonObject {
    return (this.#state ??= this.#readState());
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
}
