import { readFileSync } from 'node:fs';

const PAGE = readFileSync('docs/cli.md', 'utf8');

/** A block that is pasted into a shell, and what it prints there; null: the page does not say. */
export interface Snippet {
  readonly line: number;
  readonly script: string;
  readonly prints: string | null;
}

export const snippets: readonly Snippet[] = [
  ...PAGE.matchAll(/```sh\n([^]*?)```(?:\n\n```text\n([^]*?)```)?/g),
].map(({ index, 1: script = '', 2: prints }) => ({
  line: PAGE.slice(0, index).split('\n').length,
  script,
  prints: prints ?? null,
}));

/** Every heading below the title. */
export function textHeadings(): readonly string[] {
  return [...PAGE.matchAll(/^#{2,} (.+)$/gm)].map(([, heading = '']) => heading);
}

/** The text under a heading, without that under deeper headings. */
export function textUnder(heading: string): string {
  const section = PAGE.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/cli.md has no heading ${heading}`);
  return section;
}

/** The cells of each row of the tables under a heading, without the header rows. */
export function rowsUnder(heading: string): readonly (readonly string[])[] {
  const rows = textUnder(heading)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return rows.filter((_, index) => index > 1).map(cellsOf);
}

function cellsOf(row: string): readonly string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Turns `[text](#link)` into `text`, and removes code marks. */
export function plain(cell: string): string {
  return cell.replaceAll(/\[(`[^`]*`|[^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}

/** The commands, from the page before its first second-level heading. */
export const commandRows = PAGE.split(/^## /m)[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| ['))
  .map((row) => cellsOf(row).map(plain));
