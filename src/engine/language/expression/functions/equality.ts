import type { CelList, CelMap, CelValue } from '@bufbuild/cel';
import { celEnv, isCelList, isCelMap, isCelUint } from '@bufbuild/cel';
import { COMPARISON_WORK, ENTRY_WORK, MAX_VALUE_DEPTH } from '../limits/bounds.js';
import { chargeWork } from '../limits/budget.js';
import { BoundFault } from '../faults/evaluation-fault.js';

const libraryEquality = celEnv().funcs.find('_==_');

/** CEL's equality: numbers of every kind by value, lists and maps by content; unlike kinds are unequal. */
export function equal(a: CelValue, b: CelValue, depth = 0): boolean {
  chargeWork(ENTRY_WORK);
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  if (typeof a === 'string' || typeof b === 'string') return equalTexts(a, b);
  const left = isCelUint(a) ? a.value : a;
  const right = isCelUint(b) ? b.value : b;
  if (isNumeric(left) || isNumeric(right)) {
    // Exact between an int and a double, and false for NaN.
    return isNumeric(left) && isNumeric(right) && left <= right && left >= right;
  }
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (depth > MAX_VALUE_DEPTH) {
    throw new BoundFault(
      `it compares values nested deeper than ${MAX_VALUE_DEPTH} levels: compare a part of them`,
    );
  }
  if (isCelList(left)) return isCelList(right) && equalLists(left, right, depth + 1);
  if (isCelMap(left)) return isCelMap(right) && equalMaps(left, right, depth + 1);
  if (left instanceof Uint8Array) chargeWork(left.length);
  return libraryEquality?.call(0, undefined, [left, right]) === true;
}

function equalTexts(a: CelValue, b: CelValue): boolean {
  if (typeof a !== 'string' || typeof b !== 'string' || a.length !== b.length) return false;
  chargeWork(a.length);
  return a === b;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function equalLists(a: CelList, b: CelList, depth: number): boolean {
  chargeWork(COMPARISON_WORK);
  if (a.size !== b.size) return false;
  for (let index = 0; index < a.size; index += 1) {
    if (!equal(a.get(index) ?? null, b.get(index) ?? null, depth)) return false;
  }
  return true;
}

function equalMaps(a: CelMap, b: CelMap, depth: number): boolean {
  chargeWork(COMPARISON_WORK);
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !equal(value, other, depth)) return false;
  }
  return true;
}
