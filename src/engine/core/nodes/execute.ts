import type { NodeBehaviour, Thread } from '../turn/behaviour.js';
import { READ } from '../turn/behaviour.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { PlanUnit, UnitNode } from '../plan/plan.js';
import { unitInputAt } from '../state/unit-inputs.js';
import { doneIn } from './done-in.js';
import { evaluatedInput } from './evaluated-input.js';
import { settingsOf } from './settings.js';

/** A unit that is called: in process, over HTTP, or a built-in with an effect. */
export const execute: NodeBehaviour = {
  execute: (thread, node, unit, { input: given, retry }) => {
    const { turn, scope } = thread;
    const { path } = node;
    const { id: unitId, timeoutMs } = unit;
    const input = retry === null ? inputFor(thread, node, unit, given) : retry.input;
    const settings = retry === null ? evaluatedSettings(thread, node, unit) : retry.settings;
    const key = retry?.key ?? null;
    const type = 'unit-scheduled';
    if (unit.compensate !== null) {
      const own = input === undefined ? {} : { input };
      const compensable = doneIn(thread, node);
      turn.emit({ type, path, scope, unitId, ...own, settings, key, timeoutMs, compensable });
    } else if (input === undefined) turn.emit({ type, path, scope, unitId, settings, key, timeoutMs });
    else turn.emit({ type, path, scope, unitId, input, settings, key, timeoutMs });
    return READ;
  },
};

/** An input that was given with a fork takes precedence over what the document says. */
function inputFor(
  thread: Thread,
  node: UnitNode,
  unit: PlanUnit,
  given: JsonObject | null,
): JsonValue | undefined {
  const { turn, scope } = thread;
  const edited = unitInputAt(turn.state, { path: node.path, scope });
  return edited === undefined ? evaluatedInput(thread, node, unit, given) : edited.input;
}

function evaluatedSettings(thread: Thread, node: UnitNode, unit: PlanUnit): JsonObject | null {
  return unit.settings === null ? null : settingsOf(thread, node, unit);
}
