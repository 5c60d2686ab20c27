/** By page and rule. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Difference {
  readonly page: string;
  readonly rule: string;
  readonly count: number;
  readonly limit: number;
}

export function compare(
  counts: Counts,
  limits: Counts,
): { readonly grown: readonly Difference[]; readonly shrunk: readonly Difference[] };
export function lowered(counts: Counts, limits: Counts): Counts;
