/**
 * Freezes a JSON value, and what is inside of it, in place; the same value comes back. What is frozen already is
 * taken to be frozen all through, so that freezing again costs nothing. Without recursion: depth is no matter.
 */
export function deepFreeze<T>(value: T): T {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const member of Object.values(next) as readonly unknown[]) {
      if (typeof member === 'object' && member !== null) open.push(member);
    }
  }
  return value;
}
