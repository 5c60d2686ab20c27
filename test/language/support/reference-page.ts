import { parse } from 'yaml';
import { readPage } from '../../docs/support/page-blocks.js';
import { tablesNamed } from '../../docs/support/page-tables.js';

/** One row of a table of fields. */
export interface DocumentedField {
  readonly path: string;
  readonly default: string;
  readonly bound: string;
}

/** One YAML block, and what the comment before it says must become of it. */
export interface Example {
  readonly id: string;
  readonly yaml: string;
  readonly document: ExampleDocument;
  readonly run: {
    readonly input?: object;
    readonly status: string;
    readonly state?: object;
    readonly error?: string;
  } | null;
  /** The paths of the faults with which it is refused. */
  readonly refused: readonly string[] | null;
}

export interface ExampleDocument {
  readonly metadata: { readonly id: string };
  readonly spec: {
    readonly units: readonly Readonly<Record<string, unknown>>[];
    readonly flow: unknown;
    readonly policy?: object;
  };
}

/** The language, and the pages with documents in it. */
const page = ['docs/language.md', 'docs/patterns.md', 'docs/concepts/gates.md'].map(readPage).join('\n');

/** Rows of every table whose first column is called `field`, and of no other. */
export const documentedFields: readonly DocumentedField[] = tables('field').map(
  ([path = '', value = '', bound = '']) => ({
    path: path.replaceAll('`', ''),
    default: value,
    bound,
  }),
);

export const examples: readonly Example[] = [
  ...page.matchAll(/(?:<!-- (run|refused): (.*) -->\n\n)?```yaml\n([^]*?)```/g),
].map(([, kind, expectation = 'null', yaml = '']) => {
  const document = parse(yaml) as ExampleDocument;
  const expected: unknown = JSON.parse(expectation);
  return {
    id: document.metadata.id,
    yaml,
    document,
    run: kind === 'run' ? ({ state: {}, ...(expected as object) } as Example['run']) : null,
    refused: kind === 'refused' ? (expected as readonly string[]) : null,
  };
});

/** The expressions of the page and what they give, and the input that they read. */
export const expressions: readonly { readonly source: string; readonly value: unknown }[] = tables(
  'expression',
).map(([source = '', value = '']) => ({
  source: unquoted(source),
  value: JSON.parse(unquoted(value)) as unknown,
}));

export const expressionInput = JSON.parse(/With the input `(.*)`:/.exec(page)?.[1] ?? 'null') as object;

export const builtins: readonly string[] = [...new Set(page.match(/builtin\.[a-z-]+/g))];

function unquoted(cell: string): string {
  return cell.replace(/^`+ ?/, '').replace(/ ?`+$/, '').replaceAll('\\|', '|');
}

/** The cells of all rows of the tables with that first column. */
function tables(firstColumn: string): readonly (readonly string[])[] {
  return tablesNamed(page, firstColumn).flatMap(({ rows }) => rows.map(({ cells }) => cells));
}
