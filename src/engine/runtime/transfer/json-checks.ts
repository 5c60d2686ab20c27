import type { JsonObject, JsonValue } from '../../core/json.js';

export function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

/** A count, a seq, an index. */
export function isWhole(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
