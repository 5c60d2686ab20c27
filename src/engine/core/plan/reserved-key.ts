/**
 * State keys that the engine writes itself: what an author, a unit or a caller may write, they may not. It is asked of
 * what is supplied, when it is supplied, and never of what is folded, loaded or gone back to: there these keys belong,
 * and an older log may hold one that a caller supplied.
 */
const RESERVED = /^(?:output|errors|hitl)\./;

export function isReservedKey(key: string): boolean {
  return RESERVED.test(key);
}
