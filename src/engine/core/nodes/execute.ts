import type { Given, NodeBehaviour, Thread } from '../turn/behaviour.js';
import { READ } from '../turn/behaviour.js';
import { ownInput } from '../state/execution-input.js';
import { deepFreeze } from '../freeze.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { PlanUnit, UnitNode } from '../plan/plan.js';
import { settingsOf } from './settings.js';

/** A unit that is called: in process, over HTTP, or a built-in with an effect. */
export const execute: NodeBehaviour = {
  execute: (thread, node, unit, given) => {
    const { turn, scope } = thread;
    const { retry } = given;
    turn.emit({
      type: 'unit-scheduled',
      path: node.path,
      scope,
      unitId: unit.id,
      ...(retry === null ? evaluatedInput(thread, node, unit, given) : ownInput(retry)),
      settings: retry === null ? evaluatedSettings(thread, node, unit) : retry.settings,
      key: retry?.key ?? null,
      timeoutMs: unit.timeoutMs,
    });
    return READ;
  },
};

/** The unit's `with`, with what the flow gives laid over it; nothing when that is just the run's input. */
function evaluatedInput(
  thread: Thread,
  node: UnitNode,
  unit: PlanUnit,
  given: Given,
): { readonly input?: JsonValue } {
  if (unit.input === null && given.input === null) return {};
  const own = unit.input === null ? thread.turn.state.input : unit.input.evaluate(thread.variablesAt(node));
  if (given.input === null) return { input: own };
  return { input: deepFreeze({ ...(own as JsonObject), ...given.input }) };
}

function evaluatedSettings(thread: Thread, node: UnitNode, unit: PlanUnit): JsonObject | null {
  return unit.settings === null ? null : settingsOf(thread, node, unit);
}
