/**
 * Freezes a JSON value and all that is in it, and answers it. What is frozen already is taken to be frozen all through,
 * so freezing a large value that is made of frozen parts costs no more than what is new of it.
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
