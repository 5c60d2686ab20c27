/** What several rounds say together: the middle one, and how far they lie apart. */
export interface Figure {
  readonly median: number;
  /** The smallest and the largest round. */
  readonly spread: readonly [number, number];
  readonly rounds: readonly number[];
}

/** Kept to four digits: more would claim a precision that no machine with other work has. */
export function figureOf(rounds: readonly number[]): Figure {
  const kept = rounds.map(rounded);
  return { median: median(kept), spread: [Math.min(...kept), Math.max(...kept)], rounds: kept };
}

/** The middle value: one slow round on a shared machine must not decide. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : rounded(((sorted[middle - 1] ?? 0) + upper) / 2);
}

/** The value below which the share lies, such as 0.99 for p99. */
export function percentile(values: readonly number[] | Float64Array, share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
