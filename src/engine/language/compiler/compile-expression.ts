import type { Expression } from '../../core/plan/expression.js';
import type { JsonValue } from '../../core/json.js';
import { compileExpression, compileTemplate, type Template } from '../expression/compile.js';
import type { Surroundings } from '../expression/surroundings.js';
import type { FaultList } from '../fault-list.js';
import { refuseSecrets } from './secret-references.js';
import type { JsonPointer } from '../reader/json-pointer.js';

/** Stands for an expression that has a fault, so that the faults after it are found too. */
const FAULTY: Template = {
  source: '',
  isLiteral: true,
  evaluate: () => null,
  toStored: () => ({ kind: 'template', value: null, evaluator: 0, inLoop: false, itemNames: [] }),
};

export function expressionAt(
  faults: FaultList,
  path: JsonPointer,
  source: string,
  surroundings: Surroundings,
): Expression {
  if (faults.isOfNewDocument) refuseSecrets(source, path, faults);
  const compiled = compileExpression(source, surroundings, faults.contextAt(path));
  if (compiled.ok) return compiled.expression;
  if (faults.isWithoutExpressions) faults.stop(path, compiled.message);
  faults.addWithin(
    { path, text: source, offset: compiled.offset },
    `the expression does not compile: ${compiled.message}`,
  );
  return FAULTY;
}

export function templateAt(
  faults: FaultList,
  path: JsonPointer,
  value: JsonValue,
  surroundings: Surroundings,
): Template {
  const compiled = compileTemplate(value, surroundings, faults.contextAt(path));
  if (compiled.ok) return compiled.template;
  for (const { path: inside, text, offset, message } of compiled.faults) {
    const isLast = faults.isWithoutExpressions && inside === compiled.faults.at(-1)?.path;
    if (isLast) faults.stop(`${path}${inside}`, message);
    faults.addWithin(
      { path: `${path}${inside}`, text, offset },
      `the expression does not compile: ${message}`,
    );
  }
  return FAULTY;
}
