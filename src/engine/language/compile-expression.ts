import type { Expression } from '../core/expression.js';
import type { JsonValue } from '../core/json.js';
import { compileExpression, compileTemplate } from './expression/compile.js';
import type { FaultList } from './fault-list.js';
import type { JsonPointer } from './json-pointer.js';

/** Which loop variables an expression may use. */
export interface Surroundings {
  readonly inLoop: boolean;
  /** Names under which the items of the foreachs around are seen. */
  readonly itemNames: readonly string[];
}

/** Stands for an expression that has a fault, so that the faults after it are found too. */
const FAULTY: Expression = { source: '', evaluate: () => null };

export function expressionAt(
  faults: FaultList,
  path: JsonPointer,
  source: string,
  surroundings: Surroundings,
): Expression {
  const compiled = compileExpression(source, surroundings);
  if (compiled.ok) return compiled.expression;
  faults.add(
    path,
    `the expression does not compile at ${compiled.line}:${compiled.column} of it: ${compiled.message}`,
  );
  return FAULTY;
}

export function templateAt(
  faults: FaultList,
  path: JsonPointer,
  value: JsonValue,
  surroundings: Surroundings,
): Expression {
  const compiled = compileTemplate(value, surroundings);
  if (compiled.ok) return compiled.template;
  faults.add(
    `${path}${compiled.path}`,
    `the expression does not compile at ${compiled.line}:${compiled.column} of the text: ${compiled.message}`,
  );
  return FAULTY;
}
