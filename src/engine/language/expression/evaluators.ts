import { UnreadablePlanError } from '../../../errors/document-errors.js';
import type { Expression } from '../../core/plan/expression.js';
import { overlay, storedExpression, storedTemplate } from './compile.js';
import { EVALUATORS as REVISIONS } from './program/revision.js';
import type { JsonValue } from '../../core/json.js';
import type { Template } from './compile.js';
import type { StoredExpression } from './stored-expression.js';
import type { Surroundings } from './surroundings.js';

/** Makes expressions of their sources. */
interface Evaluator {
  expression(source: string, around: Surroundings): Expression;
  template(value: JsonValue, around: Surroundings): Template;
  overlay: typeof overlay;
}

/**
 * Every evaluator that a stored plan may name; none is ever taken out or changed in what it means. The second has words
 * more than the first, and gives everything else the same meaning.
 */
const EVALUATORS: ReadonlyMap<number, Evaluator> = new Map(
  Object.values(REVISIONS).map((revision): [number, Evaluator] => [
    revision,
    {
      expression: (source, around) => storedExpression(source, around, revision),
      template: (value, around) => storedTemplate(value, around, revision),
      overlay,
    },
  ]),
);

/** Plans hold only expressions of this folder, whose `toStored` gives a `StoredExpression`. */
export function encodeExpression(expression: Expression): StoredExpression {
  return expression.toStored() as unknown as StoredExpression;
}

/**
 * The expression that was stored; it is compiled when it is first evaluated. Throws an `UnreadablePlanError`, as does
 * its evaluation when it does not compile any more.
 */
export function expressionFrom(stored: StoredExpression): Expression {
  const evaluator = EVALUATORS.get(stored.evaluator);
  if (evaluator === undefined) {
    throw UnreadablePlanError.newer(`its expressions are for the evaluator ${stored.evaluator}`);
  }
  const { inLoop, itemNames, inCatch, inCompensation, inVars } = stored;
  const around = {
    inLoop,
    itemNames,
    ...(inCatch === true ? { inCatch } : {}),
    ...(inCompensation === true ? { inCompensation } : {}),
    ...(inVars === true ? { inVars } : {}),
  };
  switch (stored.kind) {
    case 'expression':
      return evaluator.expression(stored.source, around);
    case 'template':
      return evaluator.template(stored.value, around);
    case 'overlay':
      return evaluator.overlay(
        evaluator.template(stored.value, around),
        evaluator.template(stored.over, around),
      );
    default:
      throw UnreadablePlanError.newer('it has an expression of an unknown kind');
  }
}
