/** Throws a `TypeError` for what cannot be so many of anything; how many there may be, Flowgate says. */
export function checkLimit(limit: unknown, name = 'limit'): void {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && (limit as number) >= 1)) {
    throw new TypeError(`${name} must be a whole number of at least 1`);
  }
}

/** Of the log of a run. */
export function checkSeq(name: string, seq: unknown, least: 0 | 1): void {
  if (seq !== undefined && !(Number.isSafeInteger(seq) && (seq as number) >= least)) {
    throw new TypeError(`${name} must be a whole number of at least ${least}`);
  }
}
