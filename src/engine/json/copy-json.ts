import { types } from 'node:util';
import type { JsonValue } from '../core/json.js';
import { smallCopy } from './small-copy.js';

/** What bounds a copy; strings are shared, not copied, so they do not count. */
export interface JsonLimits {
  /** Objects and arrays inside one another; at most 1000 (the copy recurses). */
  readonly maxDepth: number;
  /** Values of every kind, counted together. */
  readonly maxNodes: number;
  /** Keys of all objects, counted together: one costs ten times what an item of a list does. */
  readonly maxKeys: number;
}

export const DEFAULT_JSON_LIMITS: JsonLimits = { maxDepth: 256, maxNodes: 500_000, maxKeys: 50_000 };

/** `problem` follows a noun: `is not JSON: a function at items[2].run`. */
export type JsonCopy =
  { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly problem: string };

/**
 * A deep, frozen copy of any value as JSON would carry it. Never throws.
 *
 * As in JSON: `toJSON` is honoured (a Date becomes its ISO string), `undefined` becomes null (inside an
 * object its key is left out), boxed primitives are unwrapped, -0 becomes 0. Unlike in JSON, whatever would
 * silently lose its content is a fault: functions, symbols, BigInts, NaN and the infinities, invalid dates,
 * maps, sets, promises, errors, typed arrays, cycles. So is the key `__proto__`.
 */
export function copyJson(value: unknown, limits: JsonLimits = DEFAULT_JSON_LIMITS): JsonCopy {
  if (limits === DEFAULT_JSON_LIMITS) {
    const small = smallCopy(value);
    if (small !== undefined) return { ok: true, value: small };
  }
  const copier = new JsonCopier(limits);
  try {
    return { ok: true, value: copier.copy(value, 0) };
  } catch (error) {
    // A getter or a toJSON of the value may throw anything; its text is not ours to repeat.
    const fault = error instanceof JsonFault ? error.fault : 'is not JSON: it cannot be read';
    return { ok: false, problem: `${fault} ${copier.location()}` };
  }
}

class JsonFault {
  constructor(readonly fault: string) {}
}

class JsonCopier {
  /** The path to the current value: `keys[i]` leads from `ancestors[i]` to what is inside it. */
  private readonly keys: (string | number)[] = [];
  private readonly ancestors: object[] = [];
  private depth = 0;
  private nodes = 0;
  private keyCount = 0;

  constructor(private readonly limits: JsonLimits) {}

  copy(value: unknown, depth: number): JsonValue {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        this.count(1);
        return value;
      case 'number':
        this.count(1);
        if (!Number.isFinite(value)) throw new JsonFault(`is not JSON: ${value}`);
        return value === 0 ? 0 : value;
      case 'object':
        return value === null ? this.null() : this.copyObject(value, depth);
      case 'undefined':
        return this.null();
      case 'bigint':
        throw new JsonFault('is not JSON: a BigInt');
      default:
        throw new JsonFault(`is not JSON: a ${typeof value}`);
    }
  }

  /** The current location: `at state.items[2]`, or, where the whole value is at fault, `at its top`. */
  location(): string {
    let path = '';
    for (const key of this.keys.slice(0, this.depth)) {
      if (typeof key === 'number') path += `[${key}]`;
      else if (!/^[A-Za-z_$][\w$]*$/.test(key)) path += `[${JSON.stringify(key)}]`;
      else path += path === '' ? key : `.${key}`;
    }
    return path === '' ? 'at its top' : `at ${path}`;
  }

  private null(): null {
    this.count(1);
    return null;
  }

  private count(nodes: number): void {
    this.nodes += nodes;
    if (this.nodes > this.limits.maxNodes) {
      throw new JsonFault(
        `is too large: more than ${this.limits.maxNodes} values (split it, or send a link to it), the limit was reached`,
      );
    }
  }

  private copyObject(value: object, depth: number): JsonValue {
    if (depth >= this.limits.maxDepth) {
      throw new JsonFault(`is nested too deeply: more than ${this.limits.maxDepth} levels`);
    }
    for (let i = 0; i < depth; i += 1) {
      if (this.ancestors[i] === value) throw new JsonFault('is not JSON: a cycle');
    }
    this.ancestors[depth] = value;
    if (Array.isArray(value)) return this.copyArray(value, depth);
    const prototype: unknown = Object.getPrototypeOf(value);
    if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) {
      const plain = asPlain(value, depth === 0 ? '' : String(this.keys[depth - 1]));
      if (plain !== value) return this.copyReplacement(plain, depth);
    }
    return this.copyRecord(value as Readonly<Record<string, unknown>>, depth);
  }

  /** What a `toJSON` or a box gave takes the value's place; as in JSON, its own `toJSON` is not called again. */
  private copyReplacement(plain: unknown, depth: number): JsonValue {
    if (typeof plain !== 'object' || plain === null) return this.copy(plain, depth);
    if (Array.isArray(plain)) return this.copyArray(plain, depth);
    assertCarriesContent(plain);
    return this.copyRecord(plain as Readonly<Record<string, unknown>>, depth);
  }

  private copyRecord(value: Readonly<Record<string, unknown>>, depth: number): JsonValue {
    this.count(1);
    const copy: Record<string, JsonValue> = {};
    const inside = depth + 1;
    this.depth = inside;
    const own = Object.keys(value);
    this.keyCount += own.length;
    if (this.keyCount > this.limits.maxKeys) {
      throw new JsonFault(
        `is too large: more than ${this.limits.maxKeys} keys in its objects (use lists, split it, or send a link to it), the limit was reached`,
      );
    }
    for (const key of own) {
      this.keys[depth] = key;
      if (key === '__proto__') throw new JsonFault('has a key that is refused');
      const member = value[key];
      if (member === undefined) continue;
      copy[key] = this.copy(member, inside);
      this.depth = inside;
    }
    this.depth = depth;
    return Object.freeze(copy);
  }

  private copyArray(value: readonly unknown[], depth: number): JsonValue {
    // Before the loop: a sparse array may claim a length of billions.
    if (value.length > this.limits.maxNodes) this.count(value.length);
    this.count(1);
    const copy: JsonValue[] = [];
    const inside = depth + 1;
    this.depth = inside;
    for (let i = 0; i < value.length; i += 1) {
      this.keys[depth] = i;
      copy.push(this.copy(value[i], inside));
      this.depth = inside;
    }
    this.depth = depth;
    return Object.freeze(copy);
  }
}

/** The value as JSON sees an object that is not a plain one; the same object if its own keys are its content. */
function asPlain(value: object, key: string): unknown {
  if (types.isDate(value) && Number.isNaN(value.getTime()))
    throw new JsonFault('is not JSON: an invalid Date');
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return toJSON.call(value, key) as unknown;
  if (types.isBoxedPrimitive(value)) return (value as { valueOf(): unknown }).valueOf();
  assertCarriesContent(value);
  return value;
}

function assertCarriesContent(value: object): void {
  const kind = lossyKind(value);
  if (kind !== null) throw new JsonFault(`is not JSON: ${kind}`);
}

/** Kinds whose own keys do not carry their content. */
function lossyKind(value: object): string | null {
  if (types.isMap(value)) return 'a Map (use Object.fromEntries)';
  if (types.isSet(value)) return 'a Set (use an array)';
  if (types.isPromise(value)) return 'a Promise (await it)';
  if (types.isNativeError(value)) return 'an Error (throw it)';
  if (types.isRegExp(value)) return 'a RegExp';
  if (types.isWeakMap(value) || types.isWeakSet(value)) return 'a weak collection';
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return 'binary data (use base64)';
  return null;
}
