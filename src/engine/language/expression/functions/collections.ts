import type { CelValue } from '@bufbuild/cel';
import { isCelList, isCelMap } from '@bufbuild/cel';
import { CHARACTER_WORK, ENTRY_WORK } from '../limits/bounds.js';
import { chargeWork, chargeStep } from '../limits/budget.js';
import { builtList } from '../values/built-list.js';
import { builtMap } from '../values/built-map.js';
import type { Implementation } from './implementation.js';

// Names with an @ cannot be written by an author; `instrument.ts` puts them into the syntax tree.
export const LIST_CALL = '@list';
export const MAP_CALL = '@map';
export const RANGE_CALL = '@range';
export const STEP_CALL = '@step';

export const COLLECTIONS: ReadonlyMap<string, Implementation> = new Map<string, Implementation>([
  [LIST_CALL, (items) => builtList(items)],
  [MAP_CALL, (keysAndValues) => builtMap(keysAndValues)],
  [RANGE_CALL, ([range]) => rangeOf(range as CelValue)],
  [STEP_CALL, ([bodyWork, condition]) => stepOf(bodyWork, condition as CelValue)],
  ['size', (args, target) => sizeOf(target === undefined ? args : [target, ...args])],
]);

/** The library copies what a comprehension goes over before the first step. */
function rangeOf(range: CelValue): CelValue {
  if (isCelList(range) || isCelMap(range)) chargeWork(range.size * ENTRY_WORK);
  return range;
}

function stepOf(bodyWork: unknown, condition: CelValue): CelValue {
  chargeStep(Number(bodyWork));
  return condition;
}

/** Code points of a text, entries of a list or map. */
function sizeOf([value, ...others]: readonly CelValue[]): bigint | undefined {
  if (value === undefined || others.length > 0) return undefined;
  if (typeof value === 'string') return BigInt(codePointsOf(value));
  if (isCelList(value) || isCelMap(value)) return BigInt(value.size);
  return undefined;
}

function codePointsOf(text: string): number {
  chargeWork(text.length * CHARACTER_WORK);
  let count = 0;
  for (let i = 0; i < text.length; i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}
