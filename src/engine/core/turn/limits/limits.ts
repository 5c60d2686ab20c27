/** The limits that a run must not exceed. */
export interface Limits {
  /** About how many characters of JSON its state may hold (`stateChars`), the overhead of its parts included. */
  readonly maxStateChars: number;
  /** About how many characters its log may hold (`logChars`). */
  readonly maxLogChars: number;
  /** How deeply its scopes may be nested. */
  readonly maxNesting: number;
}

export const NO_LIMITS: Limits = { maxStateChars: Infinity, maxLogChars: Infinity, maxNesting: Infinity };
