import { ExpressionError } from '../../../errors/document-errors.js';
import type { Expression, ExpressionScope } from '../plan/expression.js';

/** The value of an `if`, `until` or case, which must be true or false. */
export function readCondition(condition: Expression, scope: ExpressionScope): boolean {
  const value = condition.evaluate(scope);
  if (typeof value === 'boolean') return value;
  throw new ExpressionError(
    `The condition ${condition.source} is ${value === null ? 'null' : `a ${typeof value}`}, not true or false: compare it with something.`,
  );
}
