import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonValue } from '../../core/json.js';

/**
 * `enum`, `const` and `uniqueItems`, by what values are in JSON. The library's own compare prototypes, which a value of YAML has not,
 * and call a member that is named `valueOf`; and they compare each item with each.
 */
export function addEqualityKeywords(ajv: Ajv2020): void {
  for (const keyword of ['enum', 'const', 'uniqueItems']) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    error: { message: 'must be equal to one of the allowed values' },
    compile: (allowed: readonly JsonValue[]) => isOneOf(allowed),
  });
  ajv.addKeyword({
    keyword: 'const',
    error: { message: 'must be equal to constant' },
    compile: (only: JsonValue) => isOneOf([only]),
  });
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (isWanted: boolean, items: readonly JsonValue[]) => !isWanted || areUnique(items),
  });
}

function isOneOf(allowed: readonly JsonValue[]): (value: JsonValue) => boolean {
  const plain = new Set(allowed.filter((value) => !isComposite(value)));
  const composite = new Set(allowed.filter(isComposite).map(canonicalText));
  return (value) =>
    isComposite(value) ? composite.size > 0 && composite.has(canonicalText(value)) : plain.has(value);
}

function areUnique(items: readonly JsonValue[]): boolean {
  return new Set(items.map(canonicalText)).size === items.length;
}

function isComposite(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

/** The same of equal values: members by name. */
function canonicalText(value: JsonValue): string {
  return JSON.stringify(value, sortedKeys);
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
