/** One table of a page. */
export interface PageTable {
  /** The titles of the columns. */
  readonly header: readonly string[];
  readonly rows: readonly PageRow[];
  /** The heading above it, without its signs. */
  readonly section: string;
}

export interface PageRow {
  readonly cells: readonly string[];
  /** In its page, from 1. */
  readonly line: number;
}

/** All tables of a page, in their order. */
export function tablesOf(page: string): readonly PageTable[] {
  const tables: { header: readonly string[]; rows: PageRow[]; section: string }[] = [];
  let section = '';
  let isInside = false;
  let isCode = false;
  for (const [index, line] of page.split('\n').entries()) {
    if (line.startsWith('```')) isCode = !isCode;
    if (!isCode && line.startsWith('#')) section = line.replace(/^#+ /, '');
    const isRow = !isCode && line.startsWith('|');
    if (isRow && !isInside) tables.push({ header: cellsOf(line), rows: [], section });
    else if (isRow && !/^\|[ -]+\|/.test(line))
      tables.at(-1)?.rows.push({ cells: cellsOf(line), line: index + 1 });
    isInside = isRow;
  }
  return tables;
}

/** The tables whose first column is called that. */
export function tablesNamed(page: string, firstColumn: string): readonly PageTable[] {
  return tablesOf(page).filter(({ header }) => header[0] === firstColumn);
}

function cellsOf(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** The pieces of code in a cell, in their order. */
export function codeIn(cell: string): readonly string[] {
  return [...cell.matchAll(/(`+) ?(.+?) ?\1(?!`)/g)].map(([, , code = '']) => code.replaceAll('\\|', '|'));
}

/** The first piece of code in a cell, or nothing. */
export function firstCode(cell = ''): string {
  return codeIn(cell)[0] ?? '';
}
