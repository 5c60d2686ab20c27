import { ExpressionError } from '../../../errors/document-errors.js';
import type { Thread } from '../turn/behaviour.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { PlanUnit, UnitNode } from '../plan/plan.js';

/** A built-in's settings with their expressions evaluated. */
export function settingsOf(thread: Thread, node: UnitNode, unit: PlanUnit): JsonObject {
  return (unit.settings?.evaluate(thread.variablesAt(node)) ?? {}) as JsonObject;
}

/** A setting that is text; numbers and booleans are written out, anything else fails the run. */
export function textSetting(name: string, value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ExpressionError(
    `its ${name} must be text: it is ${Array.isArray(value) ? 'a list' : 'an object'}.`,
  );
}
