import type { JsonValue } from '../core/json.js';

/** JSON with sorted keys: the same document in another order of keys is the same. */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, field: JsonValue) => {
    if (field === null || typeof field !== 'object' || Array.isArray(field)) return field;
    return Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
