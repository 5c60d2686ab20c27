/**
 * The errors by which the guard has refused requests. Where an error inside is answered in another form, as at the gateway for
 * agents, those of the guard are answered by their status all the same.
 */
const REFUSALS = new WeakSet<object>();

/** Returns what it notes. */
export function atTheDoor(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) REFUSALS.add(error);
  return error;
}

export function isAtTheDoor(error: unknown): boolean {
  return typeof error === 'object' && error !== null && REFUSALS.has(error);
}
