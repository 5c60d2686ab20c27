import { isCelError, plan } from '@bufbuild/cel';
import { ExpressionError, UnreadablePlanError } from '../../../../errors/document-errors.js';
import type { ExpressionScope } from '../../../core/plan/expression.js';
import type { JsonValue } from '../../../core/json.js';
import { bindingsOf } from './bindings.js';
import { withBracketHint } from '../faults/bracket-hint.js';
import { chargeWork } from '../limits/budget.js';
import { CompileFault } from '../faults/compile-fault.js';
import { ENVIRONMENT } from './environment.js';
import { explained } from '../faults/explain.js';
import { instrument } from './instrument.js';
import type { KnownUnits } from '../known-units.js';
import { withMistakeNamed } from '../parsing/mistakes.js';
import { parseSource } from '../parsing/parse.js';
import { PROGRAMS, type Evictable } from './program-cache.js';
import { jsonOf } from './result.js';
import type { EvaluatorRevision } from './revision.js';
import type { Surroundings } from '../surroundings.js';

/** One expression, ready to run within the budget of an evaluation. */
export interface Program {
  readonly source: string;
  /** Throws an `ExpressionError`; what was stored and does not compile any more is an `UnreadablePlanError`. */
  run(scope: ExpressionScope): JsonValue;
}

/** Throws a `CompileFault`. `units`: those that it may read; null: this is not checked. */
export function programOf(
  source: string,
  surroundings: Surroundings,
  units: KnownUnits | null = null,
): { readonly program: Program; readonly revision: EvaluatorRevision } {
  const program = new CachedProgram(source, surroundings);
  const { revision } = program.compiled(units);
  return { program, revision };
}

/**
 * The program of a source that was compiled once: it is compiled again when it first runs, since most of a large plan never
 * does.
 */
export function laterProgramOf(source: string, surroundings: Surroundings): Program {
  return new CachedProgram(source, surroundings);
}

interface Compiled {
  readonly evaluate: ReturnType<typeof plan>;
  /** The work of each evaluation, whatever it does. */
  readonly work: number;
  readonly revision: EvaluatorRevision;
}

/** Keeps its source; what was compiled of it comes and goes with the cache. */
class CachedProgram implements Program, Evictable {
  wasUsed = false;
  private ready: Compiled | null = null;

  constructor(
    readonly source: string,
    private readonly surroundings: Surroundings,
  ) {}

  get size(): number {
    return this.source.length;
  }

  run(scope: ExpressionScope): JsonValue {
    this.wasUsed = true;
    const { evaluate, work } = this.ready ?? this.compiledAgain();
    return explaining(this.source, () => {
      chargeWork(work);
      const value = withoutStackTraces(() => evaluate(bindingsOf(scope)));
      if (isCelError(value)) throw value;
      return jsonOf(value);
    });
  }

  compiled(units: KnownUnits | null = null): Compiled {
    const { source, surroundings } = this;
    const ready = hinting(source, units, () => {
      const { expression, work, revision } = instrument(parseSource(source), surroundings, units);
      return { evaluate: plan(ENVIRONMENT, expression), work, revision };
    });
    this.ready = ready;
    PROGRAMS.add(this);
    return ready;
  }

  drop(): void {
    this.ready = null;
  }

  private compiledAgain(): Compiled {
    try {
      return this.compiled();
    } catch (error) {
      if (!(error instanceof CompileFault)) throw error;
      throw UnreadablePlanError.damaged(`${this.source}: ${error.message}`);
    }
  }
}

function hinting<T>(source: string, units: KnownUnits | null, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof CompileFault)) throw error;
    throw withBracketHint(withMistakeNamed(error, source), source, units);
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
 * In CEL a failure is a value: the library makes an `Error` for each, which `||` or a loop may drop a million times over.
 * Its stack, which nobody reads, would take ten times as long as everything else around it.
 */
function withoutStackTraces<T>(evaluation: () => T): T {
  const { stackTraceLimit } = Error;
  // `Reflect.set`, because a host may have frozen it; evaluation is then slow.
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    return evaluation();
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  }
}
