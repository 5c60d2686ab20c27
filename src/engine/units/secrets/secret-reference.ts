import type { JsonValue } from '../../core/json.js';

/** A name has no dot and no slash: it can stand for a file without leading out of its folder. */
const REFERENCE = /\$\{secret:([A-Za-z_][A-Za-z0-9_]{0,127})\}/g;

/** The names of the secrets that the strings of a value refer to. */
export function secretNames(value: JsonValue): ReadonlySet<string> {
  const names = new Set<string>();
  collect(value, names);
  return names;
}

/** The value with every reference replaced; a name without a value stays as it is. */
export function withSecrets(value: JsonValue, secrets: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') {
    return value.replace(REFERENCE, (reference, name: string) => secrets.get(name) ?? reference);
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withSecrets(item, secrets));
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withSecrets(field, secrets)]));
}

function collect(value: JsonValue, names: Set<string>): void {
  if (typeof value === 'string') {
    for (const [, name] of value.matchAll(REFERENCE)) if (name !== undefined) names.add(name);
  } else if (value !== null && typeof value === 'object') {
    for (const field of Object.values(value) as readonly JsonValue[]) collect(field, names);
  }
}
