import type { CelMap, CelValue } from '@bufbuild/cel';
import { isCelUint } from '@bufbuild/cel';
import { chargeEntries, chargeWork } from '../limits/budget.js';
import { EvaluationFault } from '../faults/evaluation-fault.js';
import { asMap, brandAsMap } from './brand.js';

/** A key of a map literal; whole numbers of every kind are one key, as in CEL. */
type Key = string | bigint | boolean;

/** Builds the map of a literal from alternating keys and values. */
export function builtMap(keysAndValues: readonly CelValue[]): CelMap {
  chargeEntries(keysAndValues.length / 2);
  const entries = new Map<Key, CelValue>();
  for (let i = 0; i + 1 < keysAndValues.length; i += 2) {
    const key = keyOf(keysAndValues[i]);
    if (key === undefined)
      throw new EvaluationFault('a key of a map must be a text, a whole number or a bool');
    if (key === '__proto__') throw new EvaluationFault('the key __proto__ is refused: choose another name');
    if (typeof key === 'string') chargeWork(key.length);
    if (entries.has(key))
      throw new EvaluationFault(`the key ${String(key).slice(0, 100)} is there twice: keep one`);
    entries.set(key, keysAndValues[i + 1] as CelValue);
  }
  return asMap(new BuiltMap(entries));
}

function keyOf(value: unknown): Key | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      return Number.isInteger(value) ? BigInt(value) : undefined;
    default:
      return isCelUint(value) ? value.value : undefined;
  }
}

class BuiltMap {
  constructor(private readonly byKey: ReadonlyMap<Key, CelValue>) {}

  get size(): number {
    return this.byKey.size;
  }

  get(key: unknown): CelValue | undefined {
    const known = keyOf(key);
    return known === undefined ? undefined : this.byKey.get(known);
  }

  has(key: unknown): boolean {
    const known = keyOf(key);
    return known !== undefined && this.byKey.has(known);
  }

  keys(): IterableIterator<Key> {
    return this.byKey.keys();
  }

  values(): IterableIterator<CelValue> {
    return this.byKey.values();
  }

  entries(): IterableIterator<[Key, CelValue]> {
    return this.byKey.entries();
  }

  [Symbol.iterator](): IterableIterator<[Key, CelValue]> {
    return this.byKey.entries();
  }

  forEach(callback: (value: CelValue, key: Key, map: never) => void): void {
    for (const [key, value] of this.byKey) callback(value, key, this as never);
  }
}

brandAsMap(BuiltMap.prototype);
