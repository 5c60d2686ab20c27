/** What timers can count to. */
const LONGEST_MS = 2 ** 31 - 1;

/** Throws a `TypeError` for what is no time. */
export function checkedTimeout(timeoutMs: unknown, name = 'timeoutMs'): number {
  if (timeoutMs === Infinity) return Infinity;
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0 && timeoutMs <= LONGEST_MS)) {
    throw new TypeError(`${name} must be a number of ms up to ${LONGEST_MS}, or Infinity`);
  }
  return timeoutMs;
}
