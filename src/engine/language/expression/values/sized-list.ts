import type { CelValue } from '@bufbuild/cel';
import { brandAsList } from './brand.js';

/** A CEL list over something with positions. */
export abstract class SizedList {
  abstract readonly size: number;

  /** Only asked for whole numbers from 0 to `size - 1`. */
  protected abstract at(index: number): CelValue;

  /** An index may be a double (JSON numbers are), if it is a whole number. */
  get(index: number): CelValue | undefined {
    return index >= 0 && index < this.size && index % 1 === 0 ? this.at(index) : undefined;
  }

  *values(): IterableIterator<CelValue> {
    for (let index = 0; index < this.size; index += 1) yield this.at(index);
  }

  [Symbol.iterator](): IterableIterator<CelValue> {
    return this.values();
  }
}

brandAsList(SizedList.prototype);
