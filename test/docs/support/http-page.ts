import { blocksOf, readPage } from './page-blocks.js';
import { codeIn, firstCode, tablesNamed, type PageRow } from './page-tables.js';

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

/** A field, or a parameter, of a list of fields. */
export interface NamedField {
  /** With what holds it: `items[].units`. */
  readonly name: string;
  /** It is shown with a `?`. */
  readonly isOptional: boolean;
  /** The heading above the list. */
  readonly section: string;
}

/** A list of fields, between its comments. */
interface Shape {
  readonly kind: string;
  readonly subject: string;
  readonly section: string;
  /** Of what it leaves out fields, as tools/openapi/shapes.mjs describes. */
  readonly beyond: string;
  readonly fields: readonly NamedField[];
}

const SHAPE = /^<!-- shape: ([a-z]+)(?: of ([^;]+?))?((?:; [^;]+?)*) -->\n([^]*?)^<!-- end -->$/gm;
const shapes: readonly Shape[] = pages.flatMap(shapesOf);

/** What the lists of that kind name, such as `query` or `answer`; a line may name several. */
export function namesOf(kind: string): readonly NamedField[] {
  return shapes
    .filter((shape) => shape.kind === kind)
    .flatMap((shape) => [...beyondOf(shape), ...shape.fields]);
}

/** The fields that a list leaves out because another one has them. */
function beyondOf({ beyond, section, fields }: Shape): readonly NamedField[] {
  if (beyond === '') return [];
  const [, list, subject = beyond] = /^(\w+) of (.+)$/.exec(beyond) ?? [];
  const of = shapes.find((shape) => shape.subject === subject && shape.kind !== 'query');
  if (of === undefined) throw new Error(`No list of fields is of ${subject}`);
  const above = list === undefined ? '' : `${list}[].`;
  const own = new Set(fields.map(({ name }) => name));
  return of.fields
    .filter(({ name }) => name.startsWith(above) && !own.has(name.slice(above.length)))
    .map(({ name, isOptional }) => ({ name: name.slice(above.length), isOptional, section }));
}

/** What the tables with that first column name. */
export function namesOfTable(firstColumn: string): readonly Omit<NamedField, 'isOptional'>[] {
  return tablesOf(firstColumn).flatMap(({ section, rows }) =>
    rows.map(({ cells: [name] }) => ({ name: firstCode(name), section })),
  );
}

function shapesOf({ text }: Page): readonly Shape[] {
  return [...text.matchAll(SHAPE)].map(({ 1: kind = '', 2: named, 3: options = '', 4: list = '', index }) => {
    const section = /^## (.*)$/m.exec(text.slice(text.lastIndexOf('\n## ', index) + 1))?.[1] ?? '';
    const beyond = /; beyond ([^;]+)/.exec(options)?.[1] ?? '';
    return { kind, subject: named ?? section, section, beyond, fields: fieldsIn(list, section) };
  });
}

/** A field of an object or a list stands below what holds it, two blanks further in. */
function fieldsIn(list: string, section: string): readonly NamedField[] {
  const above: string[] = [];
  return [...list.matchAll(/^( *)- ((?:`[^`]+`(?:, )?)+): (.*)$/gm)].flatMap(
    ([, indent = '', names = '', about = '']) => {
      above.length = indent.length / 2;
      const prefix = above.join('');
      const here = codeIn(names).map((name) => ({
        name: prefix + name.replace(/\?$/, ''),
        isOptional: name.endsWith('?'),
        section,
      }));
      above.push(`${here[0]?.name.slice(prefix.length) ?? ''}${about.startsWith('array') ? '[]' : ''}.`);
      return here;
    },
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
