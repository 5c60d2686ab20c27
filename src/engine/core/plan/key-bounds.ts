import { hash } from 'immutable';
import type { JsonObject } from '../json.js';

/** How many keys one input, one outcome or one `builtin.set` may bring into the shared state at once. */
const MAX_KEYS = 10_000;
/** Keys that a map cannot tell apart by their hash are searched sequentially; by chance there are two or three. */
const MAX_ALIKE = 64;

/** What is wrong with so many keys of the shared state at once, after a noun; null: nothing. */
export function problemOfKeys(values: JsonObject): string | null {
  const keys = Object.keys(values);
  if (keys.length > MAX_KEYS) {
    return `has ${keys.length} keys at its top, more than ${MAX_KEYS}: put them into one object or list under a single key`;
  }
  if (keys.length <= MAX_ALIKE) return null;
  const counts = new Map<number, number>();
  for (const key of keys) {
    const count = (counts.get(hash(key)) ?? 0) + 1;
    if (count > MAX_ALIKE) {
      return `has more than ${MAX_ALIKE} keys at its top that share one hash: put them into one object or list under a single key`;
    }
    counts.set(hash(key), count);
  }
  return null;
}
