import { blocksOf, readPage } from './page-blocks.js';
import { codeIn, firstCode, tablesNamed, type PageRow } from './page-tables.js';

export const page = readPage('docs/http.md');

/** A pair of `http` blocks. */
export interface PageExample {
  readonly line: number;
  /** The heading above it. */
  readonly section: string;
  /** The document before it. */
  readonly yaml: string;
  readonly request: string;
  readonly answer: string;
}

/** A row of a table whose first column is `request`. */
export interface RequestRow {
  readonly line: number;
  readonly section: string;
  /** The pieces of code of its first cell. */
  readonly request: readonly string[];
  readonly status: number;
  /** The pieces of code in the cell of its response. */
  readonly said: readonly string[];
}

export const examples: readonly PageExample[] = examplesOf(page);

/** The document of the first example. */
export const firstDocument = blocksOf(page).find(({ kind }) => kind === 'yaml')?.text ?? '';

export const requestRows: readonly RequestRow[] = tablesNamed(page, 'request').flatMap(({ section, rows }) =>
  rows.map(({ cells: [request = '', status = '', answer = ''], line }) => {
    return { line, section, request: codeIn(request), status: Number(status), said: codeIn(answer) };
  }),
);

export function rowsOf(firstColumn: string): readonly PageRow[] {
  return tablesNamed(page, firstColumn).flatMap(({ rows }) => rows);
}

/** The names that the tables with that first column give, each with the heading above it. */
export function namesOf(firstColumn: string): readonly { readonly name: string; readonly section: string }[] {
  return tablesNamed(page, firstColumn).flatMap(({ section, rows }) =>
    rows.map(({ cells }) => ({ name: firstCode(cells[0]), section })),
  );
}

function examplesOf(text: string): readonly PageExample[] {
  const lines = text.split('\n');
  const blocks = blocksOf(text);
  const found: PageExample[] = [];
  let yaml = '';
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'yaml') yaml = block.text;
    if (block.kind !== 'http' || block.text.startsWith('HTTP/')) continue;
    const heading = lines.slice(0, block.line).findLast((line) => line.startsWith('## ')) ?? '';
    const answer = blocks[index + 1]?.text ?? '';
    found.push({ line: block.line, section: heading.slice(3), yaml, request: block.text, answer });
  }
  return found;
}
