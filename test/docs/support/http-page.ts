import { blocksOf, readPage } from './page-blocks.js';
import { codeIn, tablesNamed, type PageRow } from './page-tables.js';

/** One page of the HTTP interface. */
interface Page {
  /** As a reader finds it: `docs/http/runs.md`. */
  readonly name: string;
  readonly text: string;
}

const INDEX: Page = { name: 'docs/http.md', text: readPage('docs/http.md') };

/** In the order in which the index lists them: their examples are played so. */
export const pages: readonly Page[] = [
  ...new Set([...INDEX.text.matchAll(/^- .*?\]\((http\/[a-z]+\.md)/gm)].map(([, path = '']) => path)),
].map((path) => ({ name: `docs/${path}`, text: readPage(`docs/${path}`) }));

const allPages = [INDEX, ...pages];

/** A pair of `http` blocks. */
export interface PageExample {
  /** The page and the line of it. */
  readonly place: string;
  /** The heading above it. */
  readonly section: string;
  /** The document before it. */
  readonly yaml: string;
  readonly request: string;
  readonly answer: string;
}

/** A row of a table whose first column is `request`. */
export interface RequestRow {
  readonly place: string;
  readonly section: string;
  /** The pieces of code of its first cell. */
  readonly request: readonly string[];
  readonly status: number;
  /** The pieces of code in the cell of its response. */
  readonly said: readonly string[];
}

export const examples: readonly PageExample[] = pages.flatMap(examplesOf);

/** The document of the first example. */
export const firstDocument =
  pages.flatMap(({ text }) => blocksOf(text)).find(({ kind }) => kind === 'yaml')?.text ?? '';

export const requestRows: readonly RequestRow[] = tablesOf('request').flatMap(({ section, rows }) =>
  rows.map(({ cells: [request = '', status = '', answer = ''], place }) => {
    return { place, section, request: codeIn(request), status: Number(status), said: codeIn(answer) };
  }),
);

/** A row, with the page that it stands on. */
type PlacedRow = Pick<PageRow, 'cells'> & { readonly place: string };

export function rowsOf(firstColumn: string): readonly PlacedRow[] {
  return tablesOf(firstColumn).flatMap(({ rows }) => rows);
}

/** A field, or a parameter, of a table. */
export interface NamedField {
  readonly name: string;
  /** It is shown with a `?`. */
  readonly isOptional: boolean;
  /** The heading above the table. */
  readonly section: string;
}

/** What the tables with that first column name; a row may name several. */
export function namesOf(firstColumn: string): readonly NamedField[] {
  return tablesOf(firstColumn).flatMap(({ section, rows }) =>
    rows.flatMap(({ cells: [names = ''] }) =>
      codeIn(names).map((name) => ({
        name: name.replace(/\?$/, ''),
        isOptional: name.endsWith('?'),
        section,
      })),
    ),
  );
}

function tablesOf(
  firstColumn: string,
): readonly { readonly section: string; readonly rows: readonly PlacedRow[] }[] {
  return allPages.flatMap(({ name, text }) =>
    tablesNamed(text, firstColumn).map(({ section, rows }) => ({
      section,
      rows: rows.map(({ cells, line }) => ({ cells, place: `${name}:${line}` })),
    })),
  );
}

function examplesOf({ name, text }: Page): readonly PageExample[] {
  const lines = text.split('\n');
  const blocks = blocksOf(text);
  const found: PageExample[] = [];
  let yaml = '';
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'yaml') yaml = block.text;
    if (block.kind !== 'http' || block.text.startsWith('HTTP/')) continue;
    const heading = lines.slice(0, block.line).findLast((line) => line.startsWith('## ')) ?? '';
    const answer = blocks[index + 1]?.text ?? '';
    found.push({
      place: `${name}:${block.line}`,
      section: heading.slice(3),
      yaml,
      request: block.text,
      answer,
    });
  }
  return found;
}
