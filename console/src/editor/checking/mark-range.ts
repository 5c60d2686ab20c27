/** What is underlined of a line: the word at a column, else at its beginning; where no word is there, what follows. */
export function markRange(
  line: string,
  column: number | null,
): { readonly from: number; readonly to: number } {
  const [indent = ''] = /^\s*(?:-\s+)*/.exec(line.slice(0, 300)) ?? [];
  const from = Math.min(column === null ? indent.length : column - 1, line.length);
  const word =
    /^(?:"[^"]{0,200}"?|'[^']{0,200}'?|[^\s,:[\]{}#]+)/.exec(line.slice(from, from + 300))?.[0] ?? '';
  return { from, to: word === '' ? Math.min(line.length, from + 1) : from + word.length };
}
