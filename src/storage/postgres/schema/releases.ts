const NUMBERS = /^(\d+)\.(\d+)\.(\d+)/;

/** Whether a release comes before another; a pre-release counts as the release that it leads to. */
export function isOlderRelease(release: string, than: string): boolean {
  const own = numbersOf(release);
  const other = numbersOf(than);
  const differing = own.findIndex((number, index) => number !== other[index]);
  return differing !== -1 && (own[differing] ?? 0) < (other[differing] ?? 0);
}

function numbersOf(release: string): readonly number[] {
  const [, ...numbers] = NUMBERS.exec(release) ?? [];
  return numbers.map(Number);
}
