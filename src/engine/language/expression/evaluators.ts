import { UnreadablePlanError } from '../../../errors/document-errors.js';
import type { Expression } from '../../core/plan/expression.js';
import { compileExpression, compileTemplate, EVALUATOR_REVISION, overlay, type Template } from './compile.js';
import type { StoredExpression } from './stored-expression.js';
import type { Surroundings } from './surroundings.js';

/** Makes expressions of their sources. */
interface Evaluator {
  expression: typeof compileExpression;
  template: typeof compileTemplate;
  overlay: typeof overlay;
}

/** Every evaluator that a stored plan may name; none is ever taken out or changed in what it means. */
const EVALUATORS: ReadonlyMap<number, Evaluator> = new Map([
  [EVALUATOR_REVISION, { expression: compileExpression, template: compileTemplate, overlay }],
]);

/** Plans hold what this folder compiled: what it says of itself is a `StoredExpression`. */
export function encodeExpression(expression: Expression): StoredExpression {
  return expression.toStored() as unknown as StoredExpression;
}

/** The expression that was stored. Throws an `UnreadablePlanError`. */
export function expressionFrom(stored: StoredExpression): Expression {
  const evaluator = EVALUATORS.get(stored.evaluator);
  if (evaluator === undefined) {
    throw UnreadablePlanError.newer(`its expressions are for the evaluator ${stored.evaluator}`);
  }
  const around = { inLoop: stored.inLoop, itemNames: stored.itemNames };
  switch (stored.kind) {
    case 'expression': {
      const compiled = evaluator.expression(stored.source, around);
      if (!compiled.ok) throw UnreadablePlanError.damaged(`${stored.source}: ${compiled.message}`);
      return compiled.expression;
    }
    case 'template':
      return templateFrom(evaluator, stored.value, around);
    case 'overlay':
      return evaluator.overlay(
        templateFrom(evaluator, stored.value, around),
        templateFrom(evaluator, stored.over, around),
      );
    default:
      throw UnreadablePlanError.newer('it has an expression of an unknown kind');
  }
}

function templateFrom(evaluator: Evaluator, value: StoredTemplate, around: Surroundings): Template {
  const compiled = evaluator.template(value, around);
  if (!compiled.ok) throw UnreadablePlanError.damaged(compiled.message);
  return compiled.template;
}

type StoredTemplate = Extract<StoredExpression, { kind: 'template' }>['value'];
