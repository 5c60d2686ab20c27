/**
 * Freezes a JSON value and all that is in it, and answers it. What is frozen already is taken to be frozen all through,
 * so freezing a large value that is made of frozen parts costs no more than what is new of it.
 */
export function deepFreeze<T>(value: T): T {
  const open: unknown[] = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item === null || typeof item !== 'object' || Object.isFrozen(item)) continue;
    Object.freeze(item);
    for (const inner of Object.values(item)) open.push(inner);
  }
  return value;
}
