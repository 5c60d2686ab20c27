/** What a `uses` name means to the service at the moment of a registration. */
export type UnitSource = 'in-process' | 'http' | 'both' | 'unknown';

/** How the compiler resolves names: a parameter, so that the language knows no registry. */
export interface UnitNames {
  sourceOf(uses: string): UnitSource;
  /** The names that suggestions for an unknown one come from. */
  known(): Iterable<string>;
  /** Bound names that this document may leave unused; each gets a warning. */
  bound(): Iterable<string>;
}
