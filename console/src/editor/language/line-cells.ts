/** Something in a line that opens a level: the dash of an item, or a key. */
export type Cell =
  | { readonly kind: 'item'; readonly column: number }
  | {
      readonly kind: 'key';
      readonly column: number;
      readonly key: string;
      /** What follows it in the line, without quotes and comments; brackets and nothing count as the empty text. */
      readonly value: string;
    };

interface LineCells {
  readonly cells: readonly Cell[];
  /** What follows the last of them, and where. */
  readonly rest: string;
  readonly restColumn: number;
  readonly isComment: boolean;
}

/** A line of block YAML in the cells that give it its place. */
export function cellsOf(line: string): LineCells {
  const cells: Cell[] = [];
  let column = line.search(/[^ ]/);
  if (column === -1) return { cells, rest: '', restColumn: line.length, isComment: false };
  while (line[column] === '-' && (line[column + 1] === ' ' || column + 1 === line.length)) {
    cells.push({ kind: 'item', column });
    column += 1;
    while (line[column] === ' ') column += 1;
  }
  const rest = line.slice(column);
  if (rest.startsWith('#')) return { cells, rest: '', restColumn: column, isComment: true };
  const colon = colonIn(rest);
  if (colon === -1) return { cells, rest, restColumn: column, isComment: isCommented(rest) };
  const after = rest.slice(colon + 1);
  const gap = after.length - after.trimStart().length;
  cells.push({ kind: 'key', column, key: unquoted(rest.slice(0, colon)), value: scalarText(after) });
  return {
    cells,
    rest: after.slice(gap),
    restColumn: column + colon + 1 + gap,
    isComment: isCommented(after),
  };
}

/** Where the key at the beginning of a text ends; -1: there is none. */
function colonIn(rest: string): number {
  if (/^[[{#&*!|>%@`]/.test(rest)) return -1;
  let from = 0;
  if (rest.startsWith('"') || rest.startsWith("'")) {
    const end = rest.indexOf(rest.charAt(0), 1);
    if (end === -1) return -1;
    from = end + 1;
    if (rest.slice(from).trimStart()[0] !== ':') return -1;
  }
  for (let at = rest.indexOf(':', from); at !== -1; at = rest.indexOf(':', at + 1))
    if (at + 1 === rest.length || /\s/.test(rest[at + 1] ?? ''))
      return isCommented(rest.slice(0, at)) ? -1 : at;
  return -1;
}

function isCommented(text: string): boolean {
  return !/["']/.test(text) && /(?:^|\s)#/.test(text);
}

/** The text of a scalar that stands in a line. */
function scalarText(text: string): string {
  const value = text.replace(/\s#.*$/, '').trim();
  return /^[[{]/.test(value) ? '' : unquoted(value);
}

export function unquoted(text: string): string {
  const trimmed = text.trim();
  const [quote] = trimmed;
  const isQuoted = (quote === '"' || quote === "'") && trimmed.length > 1 && trimmed.endsWith(quote);
  return isQuoted ? trimmed.slice(1, -1) : trimmed;
}
