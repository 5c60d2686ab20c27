import { deepFreeze } from '../freeze.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { PlanUnit, UnitNode } from '../plan/plan.js';
import type { Thread } from '../turn/behaviour.js';

/** The unit's `with`, with what the flow gives laid over it; undefined when that is just the run's input. */
export function evaluatedInput(
  thread: Thread,
  node: UnitNode,
  unit: PlanUnit,
  given: JsonObject | null,
): JsonValue | undefined {
  if (unit.input === null && given === null) return undefined;
  const own = unit.input === null ? thread.turn.state.input : unit.input.evaluate(thread.variablesAt(node));
  return given === null ? own : deepFreeze({ ...(own as JsonObject), ...given });
}
