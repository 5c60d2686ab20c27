import type { CelValue } from '@bufbuild/cel';
import { isCelList, isCelMap } from '@bufbuild/cel';
import { COMPARISON_WORK } from '../limits/bounds.js';
import { chargeWork } from '../limits/budget.js';
import { equal } from './equality.js';
import type { Implementation } from './implementation.js';

type Comparable = string | number | bigint;

export const COMPARISON: ReadonlyMap<string, Implementation> = new Map<string, Implementation>([
  ['_==_', ([a, b]) => equal(a as CelValue, b as CelValue)],
  ['_!=_', ([a, b]) => !equal(a as CelValue, b as CelValue)],
  ['_<_', ordering((a, b) => a < b)],
  ['_<=_', ordering((a, b) => a <= b)],
  ['_>_', ordering((a, b) => a > b)],
  ['_>=_', ordering((a, b) => a >= b)],
  ['@in', ([value, container]) => isIn(value as CelValue, container as CelValue)],
]);

/** JavaScript compares a BigInt with a number exactly; bools, bytes and times are the library's. */
function ordering(compare: (a: Comparable, b: Comparable) => boolean): Implementation {
  return ([a, b]) => {
    if (typeof a === 'string' && typeof b === 'string') {
      chargeWork(Math.min(a.length, b.length));
      return compare(a, b);
    }
    if (a instanceof Uint8Array && b instanceof Uint8Array) chargeWork(Math.min(a.length, b.length));
    else if (typeof a === 'object') chargeWork(COMPARISON_WORK);
    if (typeof a !== 'number' && typeof a !== 'bigint') return undefined;
    if (typeof b !== 'number' && typeof b !== 'bigint') return undefined;
    return compare(a, b);
  };
}

function isIn(value: CelValue, container: CelValue): boolean | undefined {
  if (isCelMap(container)) return container.has(value as string);
  if (!isCelList(container)) return undefined;
  for (const item of container) if (equal(item, value)) return true;
  return false;
}
