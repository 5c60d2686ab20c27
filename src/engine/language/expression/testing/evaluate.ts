import type { ExpressionScope } from '../../../core/plan/expression.js';
import type { JsonObject, JsonValue } from '../../../core/json.js';
import { compileExpression, compileTemplate } from '../compile.js';
import type { Surroundings } from '../surroundings.js';

/** The scope of a run with that state; what it leaves out is empty. */
export function scopeOf(state: JsonObject, others: Partial<ExpressionScope> = {}): ExpressionScope {
  const entries = new Map(Object.entries(state));
  return {
    input: {},
    run: { runId: 'run-1', workflowId: 'orders', createdAt: 1_700_000_000_000 },
    ...others,
    state: others.state ?? {
      get: (key) => entries.get(key),
      has: (key) => entries.has(key),
      keys: () => entries.keys(),
    },
  };
}

/** The expression's value with that state; throws what `evaluate` throws, or the fault of compilation. */
export function evaluate(
  source: string,
  state: JsonObject = {},
  others: Partial<ExpressionScope> = {},
  surroundings?: Surroundings,
): JsonValue {
  const compiled = compileExpression(source, surroundings);
  if (!compiled.ok)
    throw new Error(`does not compile at ${compiled.line}:${compiled.column}: ${compiled.message}`);
  return compiled.expression.evaluate(scopeOf(state, others));
}

/** The template's value with that state. */
export function fill(
  value: JsonValue,
  state: JsonObject = {},
  others: Partial<ExpressionScope> = {},
): JsonValue {
  const compiled = compileTemplate(value);
  if (!compiled.ok)
    throw new Error(`does not compile at ${compiled.line}:${compiled.column}: ${compiled.message}`);
  return compiled.template.evaluate(scopeOf(state, others));
}
