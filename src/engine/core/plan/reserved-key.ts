/** State keys that the engine writes itself; neither units nor authors may write them. */
const RESERVED = /^(?:output|errors|hitl)\./;

export function isReservedKey(key: string): boolean {
  return RESERVED.test(key);
}
