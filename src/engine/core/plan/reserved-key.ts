/**
 * State keys that the engine writes itself, and that an author, a unit or a caller must not write. This is checked when a
 * value is supplied, and never when one is folded, loaded or gone back to: there these keys belong, and an older log may
 * hold one that a caller supplied.
 */
const RESERVED = /^(?:output|errors|hitl)\./;

export function isReservedKey(key: string): boolean {
  return RESERVED.test(key);
}
