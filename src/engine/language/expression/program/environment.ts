import type { CelResult, CelValue } from '@bufbuild/cel';
import { celEnv, celError } from '@bufbuild/cel';
import { FAILURE_WORK } from '../limits/bounds.js';
import { chargeWork } from '../limits/budget.js';
import { BoundFault } from '../faults/evaluation-fault.js';
import { ARITHMETIC } from '../functions/arithmetic.js';
import { COLLECTIONS } from '../functions/collections.js';
import { COMPARISON } from '../functions/comparison.js';
import { CONVERSIONS } from '../functions/conversions.js';
import type { Implementation } from '../functions/implementation.js';
import { PATTERNS } from '../functions/patterns.js';
import { TEXTS } from '../functions/texts.js';
import { TIMES } from '../functions/times.js';
import { typeName } from '../functions/type-name.js';

type Environment = ReturnType<typeof celEnv>;

/**
 * In CEL a failure is a value: the library makes an `Error` for each, which `||` or a loop may drop a million times over.
 * Some are made without a call of our functions, so all are counted where they are made: in the class that the library's own
 * errors extend.
 */
class CountedError extends Error {
  constructor(message?: string) {
    chargeWork(FAILURE_WORK);
    super(message);
  }
}

/** From now on every failure of an evaluation is charged. Idempotent. */
function countFailures(): void {
  const libraryError = celError('').constructor;
  if (Object.getPrototypeOf(libraryError) === Error) Object.setPrototypeOf(libraryError, CountedError);
}

countFailures();
const library: Environment = celEnv();

/** Every function that an expression can call; none reaches the library unguarded. */
const guarded = new Map(
  [ARITHMETIC, COMPARISON, COLLECTIONS, CONVERSIONS, TEXTS, PATTERNS, TIMES].flatMap((functions) =>
    [...functions].map(([name, implementation]) => [name, guard(name, implementation)] as const),
  ),
);

/**
 * The library's environment with our functions in place of its own. Overriding them by its `funcs` option
 * would not do: there, what a function throws becomes a value that `||` absorbs, a broken bound included.
 */
export const ENVIRONMENT: Environment = Object.create(library, {
  funcs: {
    value: Object.create(library.funcs, { find: { value: (name: string) => guarded.get(name) } }) as unknown,
  },
}) as Environment;

/** The names that may stand before `(`; those that begin with no letter are operators. */
export const FUNCTION_NAMES: readonly string[] = [...guarded.keys()].filter((name) => /^[a-z]/i.test(name));

function guard(name: string, implementation: Implementation): { call: LibraryCall } {
  const fallback = library.funcs.find(name);
  return {
    call(id, target, args) {
      try {
        const value = implementation(args, target) ?? fallback?.call(id, target, args);
        return value ?? celError(noOverload(name, target === undefined ? args : [target, ...args]), id);
      } catch (error) {
        if (error instanceof BoundFault) throw error;
        return celError(error, id);
      }
    },
  };
}

type LibraryCall = (id: number, target: CelValue | undefined, args: CelValue[]) => CelResult;

/** `+ is not defined for a text and a number`. */
function noOverload(name: string, operands: readonly CelValue[]): string {
  const operator = name.replace(/^@|_/g, '');
  const kinds = operands.map(typeName);
  const list = kinds.length < 2 ? kinds.join('') : `${kinds.slice(0, -1).join(', ')} and ${kinds.at(-1)}`;
  return `${operator} is not defined for ${list}: convert with string(…), double(…) or int(…)`;
}
