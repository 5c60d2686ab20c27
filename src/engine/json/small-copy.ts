import type { JsonValue } from '../core/json.js';

/** The limits of a small value. */
const SMALL = { depth: 8, nodes: 100 };

/**
 * A deep, frozen copy of a value that is small, plain and JSON, as most are: no location in it has to be remembered, and
 * nothing but its size counted. Undefined for any other: `copyJson` then looks at all of it, and says what is wrong.
 */
export function smallCopy(value: unknown): JsonValue | undefined {
  try {
    return copyWithin({ nodes: SMALL.nodes }, value, SMALL.depth);
  } catch {
    return undefined;
  }
}

function copyWithin(remaining: { nodes: number }, value: unknown, levels: number): JsonValue | undefined {
  remaining.nodes -= 1;
  if (remaining.nodes < 0) return undefined;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? (value === 0 ? 0 : value) : undefined;
  if (typeof value !== 'object' || levels === 0) return undefined;
  if (Array.isArray(value)) return listWithin(remaining, value, levels - 1);
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) return undefined;
  return objectWithin(remaining, value as Readonly<Record<string, unknown>>, levels - 1);
}

function objectWithin(
  remaining: { nodes: number },
  value: Readonly<Record<string, unknown>>,
  levels: number,
): JsonValue | undefined {
  const copy: Record<string, JsonValue> = {};
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (key === '__proto__') return undefined;
    const given = value[key];
    if (given === undefined) continue;
    const member = copyWithin(remaining, given, levels);
    if (member === undefined) return undefined;
    copy[key] = member;
  }
  return Object.freeze(copy);
}

function listWithin(
  remaining: { nodes: number },
  value: readonly unknown[],
  levels: number,
): JsonValue | undefined {
  if (value.length > remaining.nodes) return undefined;
  const copy: JsonValue[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const item = copyWithin(remaining, value[index], levels);
    if (item === undefined) return undefined;
    copy.push(item);
  }
  return Object.freeze(copy);
}
