import type { Expression } from '../../src/engine/core/plan/expression.js';
import type { Plan } from '../../src/engine/core/plan/plan.js';

/** The same plan, of which every expression first asks whether it may be evaluated now. */
export function guardedPlan(plan: Plan, ask: () => void): Plan {
  const copies = new Map<object, unknown>();
  return copy(plan) as Plan;

  function copy(value: unknown): unknown {
    if (value === null || typeof value !== 'object') return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    if (isExpression(value)) return guarded(value);
    if (value instanceof Map) {
      const map = new Map();
      copies.set(value, map);
      for (const [key, inner] of value) map.set(key, copy(inner));
      return map;
    }
    const twin: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
    copies.set(value, twin);
    for (const [key, inner] of Object.entries(value)) Object.assign(twin, { [key]: copy(inner) });
    return twin;
  }

  function guarded(expression: Expression): Expression {
    return Object.assign(Object.create(expression) as Expression, {
      evaluate: (scope: Parameters<Expression['evaluate']>[0]) => {
        ask();
        return expression.evaluate(scope);
      },
    });
  }
}

function isExpression(value: object): value is Expression {
  return 'evaluate' in value && typeof value.evaluate === 'function';
}
