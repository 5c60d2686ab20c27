import type { CelList, CelValue } from '@bufbuild/cel';
import { chargeEntries } from '../limits/budget.js';
import { asList } from './brand.js';
import { SizedList } from './sized-list.js';

/** Takes the items over: they must be the caller's own. */
export function builtList(items: readonly CelValue[]): CelList {
  chargeEntries(items.length);
  return asList(new BuiltList(items as CelValue[], items.length));
}

/**
 * Left and right in one list. `map` and `filter` append item by item, so appending must not copy what is
 * there: lists share one array, each sees its first `size` entries, and only the longest may grow in place.
 */
export function concatenated(left: CelList, right: CelList): CelList {
  if (right.size === 0) return left;
  if (left.size === 0) return right;
  const growsInPlace = left instanceof BuiltList && left.items.length === left.size;
  chargeEntries(growsInPlace ? right.size : left.size + right.size);
  const items = growsInPlace ? left.items : [...left];
  // This is what `map` and `filter` do in each pass.
  if (right.size === 1) {
    items.push(right.get(0) ?? null);
  } else {
    // A copy first: right may be left itself.
    const added = [...right];
    for (const item of added) items.push(item);
  }
  return asList(new BuiltList(items, items.length));
}

class BuiltList extends SizedList {
  constructor(
    readonly items: CelValue[],
    readonly size: number,
  ) {
    super();
  }

  protected at(index: number): CelValue {
    return this.items[index] ?? null;
  }
}
