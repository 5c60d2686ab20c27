import type { NodeBehaviour, Thread } from '../turn/behaviour.js';
import { READ } from '../turn/behaviour.js';
import { deepFreeze } from '../freeze.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { PlanUnit, UnitNode } from '../plan/plan.js';
import { settingsOf } from './settings.js';

/** A unit that is called: in process, over HTTP, or a built-in with an effect. */
export const execute: NodeBehaviour = {
  execute: (thread, node, unit, { input: given, retry }) => {
    const { turn, scope } = thread;
    const { path } = node;
    const { id: unitId, timeoutMs } = unit;
    const input = retry === null ? evaluatedInput(thread, node, unit, given) : retry.input;
    const settings = retry === null ? evaluatedSettings(thread, node, unit) : retry.settings;
    const key = retry?.key ?? null;
    const type = 'unit-scheduled';
    if (input === undefined) turn.emit({ type, path, scope, unitId, settings, key, timeoutMs });
    else turn.emit({ type, path, scope, unitId, input, settings, key, timeoutMs });
    return READ;
  },
};

/** The unit's `with`, with what the flow gives laid over it; undefined when that is just the run's input. */
function evaluatedInput(
  thread: Thread,
  node: UnitNode,
  unit: PlanUnit,
  given: JsonObject | null,
): JsonValue | undefined {
  if (unit.input === null && given === null) return undefined;
  const own = unit.input === null ? thread.turn.state.input : unit.input.evaluate(thread.variablesAt(node));
  return given === null ? own : deepFreeze({ ...(own as JsonObject), ...given });
}

function evaluatedSettings(thread: Thread, node: UnitNode, unit: PlanUnit): JsonObject | null {
  return unit.settings === null ? null : settingsOf(thread, node, unit);
}
