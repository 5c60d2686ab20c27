import type { JsonValue } from '../../../../clients/typescript/src/types/json.js';

const DEEPEST = 100;

/** Whether two values are the same, whatever the order of their keys. */
export function isSame(left: JsonValue | undefined, right: JsonValue | undefined, depth = 0): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right) || depth > DEEPEST) return false;
  const [ofLeft, ofRight] = [Object.entries(left), Object.entries(right)];
  if (ofLeft.length !== ofRight.length) return false;
  const values = new Map<string, JsonValue>(ofRight);
  return ofLeft.every(
    ([key, value]) => values.has(key) && isSame(value as JsonValue, values.get(key), depth + 1),
  );
}
