import { isCelError, plan } from '@bufbuild/cel';
import { ExpressionError } from '../../../errors/document-errors.js';
import type { ExpressionScope } from '../../core/plan/expression.js';
import type { JsonValue } from '../../core/json.js';
import { bindingsOf } from './bindings.js';
import { withBracketHint } from './bracket-hint.js';
import { chargeWork } from './budget.js';
import { CompileFault } from './compile-fault.js';
import { ENVIRONMENT } from './environment.js';
import { explained } from './explain.js';
import { instrument } from './instrument.js';
import { parseSource } from './parse.js';
import { jsonOf } from './result.js';
import type { Surroundings } from './surroundings.js';

/** One expression, ready to run within the budget of an evaluation. Throws an `ExpressionError`, nothing else. */
export interface Program {
  readonly source: string;
  run(scope: ExpressionScope): JsonValue;
}

/** Throws a `CompileFault`. */
export function programOf(source: string, surroundings: Surroundings): Program {
  const { evaluate, work } = hinting(source, () => {
    const instrumented = instrument(parseSource(source), surroundings);
    return { evaluate: plan(ENVIRONMENT, instrumented.expression), work: instrumented.work };
  });
  return {
    source,
    run: (scope) =>
      explaining(source, () => {
        chargeWork(work);
        const value = withoutStackTraces(() => evaluate(bindingsOf(scope)));
        if (isCelError(value)) throw value;
        return jsonOf(value);
      }),
  };
}

function hinting<T>(source: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw error instanceof CompileFault ? withBracketHint(error, source) : error;
  }
}

/** Whatever goes wrong becomes an `ExpressionError` that names the source. */
export function explaining<T>(source: string, evaluation: () => T): T {
  try {
    return evaluation();
  } catch (error) {
    throw error instanceof ExpressionError ? error : explained(source, error);
  }
}

/**
 * In CEL a failure is a value: the library makes an `Error` for each, which `||` or a loop may drop a million
 * times over. Ten times as slow as everything else around it is the stack that nobody reads.
 */
function withoutStackTraces<T>(evaluation: () => T): T {
  const { stackTraceLimit } = Error;
  // `Reflect.set` because a host may have frozen it; then it is slow.
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    return evaluation();
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  }
}
