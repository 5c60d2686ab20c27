import type { CelList, CelMap, CelValue } from '@bufbuild/cel';
import { isCelList, isCelMap, isCelUint } from '@bufbuild/cel';
import { deepFreeze } from '../../../core/freeze.js';
import type { JsonObject, JsonValue } from '../../../core/json.js';
import { LARGE_MAP_KEYS, LARGE_MAP_KEY_WORK, MAX_VALUE_DEPTH } from '../limits/bounds.js';
import { chargeResult, chargeResultKey, chargeWork } from '../limits/budget.js';
import { BoundFault, EvaluationFault } from '../faults/evaluation-fault.js';
import { isExact } from '../functions/arithmetic.js';
import { typeName } from '../functions/type-name.js';
import { jsonBehind } from '../values/json-values.js';
import { durationText, isDuration, isTimestamp, timestampText } from '../values/times.js';

/**
 * The JSON of a value, deeply frozen, because other evaluations may get the same one. What came from the state unchanged
 * goes out unchanged, counted but not copied.
 */
export function jsonOf(value: CelValue, depth = 0): JsonValue {
  switch (typeof value) {
    case 'string':
      chargeResult(1, value.length);
      return value;
    case 'boolean':
      chargeResult(1, 0);
      return value;
    case 'number':
      return jsonNumber(value);
    case 'bigint':
      return jsonInt(value);
    default:
  }
  if (value === null) {
    chargeResult(1, 0);
    return null;
  }
  if (isCelUint(value)) return jsonInt(value.value);
  if (isCelList(value) || isCelMap(value)) return jsonOfContainer(value, depth);
  if (isTimestamp(value)) return jsonText(timestampText(value));
  if (isDuration(value)) return jsonText(durationText(value));
  throw new EvaluationFault(
    `its value is ${typeName(value)}, which JSON cannot hold: convert it with string(…)`,
  );
}

function jsonText(text: string): string {
  chargeResult(1, text.length);
  return text;
}

function jsonNumber(value: number): number {
  if (!Number.isFinite(value)) {
    throw new EvaluationFault(`its value is ${value}, which JSON cannot hold: test the divisor first`);
  }
  chargeResult(1, 0);
  // JSON has no -0.
  return value === 0 ? 0 : value;
}

function jsonInt(value: bigint): number {
  if (!isExact(value)) {
    throw new EvaluationFault(
      `its value ${value} is beyond 2^53, which JSON numbers cannot hold: use string(…)`,
    );
  }
  chargeResult(1, 0);
  return Number(value);
}

function jsonOfContainer(value: CelList | CelMap, depth: number): JsonValue {
  const json = jsonBehind(value);
  if (json !== undefined) {
    measure(json, depth);
    return deepFreeze(json);
  }
  enter(depth);
  return isCelList(value) ? jsonList(value, depth + 1) : jsonObject(value, depth + 1);
}

function jsonList(list: CelList, depth: number): readonly JsonValue[] {
  const json: JsonValue[] = [];
  for (const item of list) json.push(jsonOf(item, depth));
  return Object.freeze(json);
}

function jsonObject(map: CelMap, depth: number): JsonObject {
  const json: Record<string, JsonValue> = {};
  for (const [key, value] of map) {
    const name = String(isCelUint(key) ? key.value : key);
    chargeResultKey(name.length);
    if (name === '__proto__') throw new EvaluationFault('the key __proto__ is refused: choose another name');
    if (Object.hasOwn(json, name))
      throw new EvaluationFault(`two keys of its value are "${name}" in JSON: keep one`);
    json[name] = jsonOf(value, depth);
  }
  return Object.freeze(json);
}

function measure(json: JsonValue, depth: number): void {
  if (typeof json !== 'object' || json === null) {
    chargeResult(1, typeof json === 'string' ? json.length : 0);
    return;
  }
  enter(depth);
  if (Array.isArray(json)) {
    for (const item of json as readonly JsonValue[]) measure(item, depth + 1);
    return;
  }
  const keys = Object.keys(json);
  if (keys.length > LARGE_MAP_KEYS) chargeWork(keys.length * LARGE_MAP_KEY_WORK);
  for (const [key, value] of Object.entries(json)) {
    chargeResultKey(key.length);
    measure(value, depth + 1);
  }
}

function enter(depth: number): void {
  chargeResult(1, 0);
  if (depth >= MAX_VALUE_DEPTH) {
    throw new BoundFault(`its result is nested deeper than ${MAX_VALUE_DEPTH} levels: return a part of it`);
  }
}
