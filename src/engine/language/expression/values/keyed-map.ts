import type { CelValue } from '@bufbuild/cel';
import { brandAsMap } from './brand.js';

/** A CEL map whose keys are strings. */
export abstract class KeyedMap {
  protected abstract lookUp(key: string): CelValue | undefined;
  protected abstract listKeys(): readonly string[];

  get size(): number {
    return this.listKeys().length;
  }

  get(key: unknown): CelValue | undefined {
    return typeof key === 'string' ? this.lookUp(key) : undefined;
  }

  has(key: unknown): boolean {
    return this.get(key) !== undefined;
  }

  keys(): IterableIterator<string> {
    return this.listKeys().values();
  }

  *values(): IterableIterator<CelValue> {
    for (const [, value] of this.entries()) yield value;
  }

  *entries(): IterableIterator<[string, CelValue]> {
    for (const key of this.listKeys()) {
      const value = this.lookUp(key);
      if (value !== undefined) yield [key, value];
    }
  }

  [Symbol.iterator](): IterableIterator<[string, CelValue]> {
    return this.entries();
  }

  forEach(callback: (value: CelValue, key: string, map: never) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this as never);
  }
}

brandAsMap(KeyedMap.prototype);
