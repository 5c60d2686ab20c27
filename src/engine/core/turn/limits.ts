/** What a run must not outgrow. */
export interface Limits {
  /** About how many characters of JSON its state may hold (`stateChars`), with what its parts take beside. */
  readonly maxStateChars: number;
  /** About how many characters its log may hold (`logChars`). */
  readonly maxLogChars: number;
  /** How deep its scopes may lie inside one another. */
  readonly maxNesting: number;
}

export const NO_LIMITS: Limits = { maxStateChars: Infinity, maxLogChars: Infinity, maxNesting: Infinity };
