/** The first characters of a text, so many at the most, and no half of a surrogate pair at its end: no encoding can carry that. */
export function beginningOf(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '');
}
