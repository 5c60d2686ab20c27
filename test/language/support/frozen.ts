/** Whether nothing of a JSON value can be changed, however deep. */
export function isFrozenAll(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozenAll);
}
