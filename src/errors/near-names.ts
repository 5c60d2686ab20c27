/** Longer names are not typos, and the work grows with the square of the length. */
const MAX_LENGTH = 64;

export interface Nearness {
  /** How many typos a name of this many letters may have and still be recognised. */
  readonly typos: (letters: number) => number;
  /** The most names to return. Default 1. */
  readonly limit?: number;
}

/** The known names that `name` may stand for, nearest first. Case is ignored. */
export function nearNames(
  name: string,
  known: Iterable<string>,
  { typos, limit = 1 }: Nearness,
): readonly string[] {
  if (name.length > MAX_LENGTH) return [];
  const wanted = name.toLowerCase();
  const allowed = typos(name.length);
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > allowed) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= allowed) near.push({ name: candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, limit).map((entry) => entry.name);
}

/** Insertions, deletions and replacements (Levenshtein); two swapped neighbours count as one (restricted). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
