/**
 * Freezes a JSON value and all that is in it, and returns it. A part that is frozen already counts as frozen throughout, so
 * freezing a large value that is made of frozen parts costs only what is new in it.
 */
export function deepFreeze<T>(value: T): T {
  const open: unknown[] = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item === null || typeof item !== 'object' || Object.isFrozen(item)) continue;
    Object.freeze(item);
    // An array may hold half a million numbers: none of them is looked at twice.
    for (const inner of Array.isArray(item) ? (item as readonly unknown[]) : Object.values(item))
      if (typeof inner === 'object') open.push(inner);
  }
  return value;
}
