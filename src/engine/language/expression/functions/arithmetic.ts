import type { CelValue } from '@bufbuild/cel';
import { isCelList } from '@bufbuild/cel';
import { TIME_WORK } from '../limits/bounds.js';
import { chargeBuilt, chargeWork } from '../limits/budget.js';
import { isDuration, isTimestamp } from '../values/times.js';
import { EvaluationFault } from '../faults/evaluation-fault.js';
import { concatenated } from '../values/built-list.js';
import type { Implementation } from './implementation.js';

/**
 * JSON numbers are doubles and literals are ints, so `state.count + 1` needs what CEL leaves out: where an int
 * meets a double, the int becomes one. Two ints stay with the library, which checks their 64 bits.
 */
export const ARITHMETIC: ReadonlyMap<string, Implementation> = new Map<string, Implementation>([
  ['_+_', ([a, b]) => add(a as CelValue, b as CelValue)],
  [
    '_-_',
    ([a, b]) => (isTime(a) ? chargeTime() : subtractNumbers([a as CelValue, b as CelValue], undefined)),
  ],
  ['_*_', onDoubles((a, b) => a * b)],
  ['_/_', onDoubles((a, b) => a / b)],
  ['_%_', onDoubles(remainder)],
]);

/** The largest absolute value up to which every int is a double too. */
const MAX_EXACT = 2n ** 53n;

export function isExact(value: bigint): boolean {
  return value <= MAX_EXACT && value >= -MAX_EXACT;
}

function onDoubles(compute: (a: number, b: number) => number): Implementation {
  return ([a, b]) => {
    if (!isNumeric(a) || !isNumeric(b) || (typeof a === 'bigint' && typeof b === 'bigint')) return undefined;
    return compute(toDouble(a), toDouble(b));
  };
}

const subtractNumbers = onDoubles((a, b) => a - b);

/** Sums and differences of times are the library's, which checks their bounds. */
function chargeTime(): undefined {
  chargeWork(TIME_WORK);
  return undefined;
}

function isTime(value: CelValue | undefined): boolean {
  return isTimestamp(value) || isDuration(value);
}

const addNumbers = onDoubles((a, b) => a + b);

function add(a: CelValue, b: CelValue): ReturnType<Implementation> {
  if (typeof a === 'string' && typeof b === 'string') {
    chargeBuilt(a.length + b.length);
    return a + b;
  }
  if (isCelList(a) && isCelList(b)) return concatenated(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) chargeBuilt(a.length + b.length);
  if (isTime(a)) return chargeTime();
  return addNumbers([a, b], undefined);
}

function remainder(a: number, b: number): number {
  if (b === 0) throw new EvaluationFault('modulus by zero: test the divisor first');
  return a % b;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function toDouble(value: number | bigint): number {
  if (typeof value === 'number') return value;
  if (!isExact(value)) {
    throw new EvaluationFault(
      `the int ${value} is beyond 2^53 and cannot be combined with a JSON number exactly`,
    );
  }
  return Number(value);
}
