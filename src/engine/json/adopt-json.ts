import type { JsonObject, JsonValue } from '../core/json.js';
import { copyJson, DEFAULT_JSON_LIMITS, type JsonCopy } from './copy-json.js';

/**
 * Freezes what `JSON.parse` has just made, which nothing else references: the result is the same as that of `copyJson`,
 * without a copy. A value that `copyJson` would change or refuse is passed to it.
 */
export function adoptJson(parsed: JsonValue): JsonCopy {
  const left = { nodes: DEFAULT_JSON_LIMITS.maxNodes, keys: DEFAULT_JSON_LIMITS.maxKeys };
  return adopt(parsed, DEFAULT_JSON_LIMITS.maxDepth, left) ? { ok: true, value: parsed } : copyJson(parsed);
}

/** False: the value cannot be adopted as it is. */
function adopt(value: JsonValue, levels: number, left: { nodes: number; keys: number }): boolean {
  left.nodes -= 1;
  // An exponent may be too large for a number, and -0 is 0 everywhere else.
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) && left.nodes >= 0;
  if (typeof value !== 'object' || value === null) return left.nodes >= 0;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) if (!adopt(item, levels - 1, left)) return false;
  } else {
    const keys = Object.keys(value);
    left.keys -= keys.length;
    if (left.keys < 0) return false;
    for (const key of keys) {
      if (key === '__proto__' || !adopt((value as JsonObject)[key] ?? null, levels - 1, left)) return false;
    }
  }
  Object.freeze(value);
  return left.nodes >= 0;
}
