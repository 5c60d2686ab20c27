import { blocksOf, readPage } from './page-blocks.js';
import { firstCode, tablesOf, type PageTable } from './page-tables.js';

const page = readPage('docs/units.md');

/** The n-th block of a kind, from 0. */
export function blockOf(kind: string, index = 0): string {
  const block = blocksOf(page).filter((one) => one.kind === kind)[index];
  if (block === undefined) throw new Error(`docs/units.md has no ${kind} block number ${index}.`);
  return block.text;
}

/** The table with these columns; `…` stands for any that follow. */
export function tableOf(...columns: readonly string[]): PageTable {
  const found = tablesOf(page).filter(({ header }) =>
    columns.every((column, index) => header[index] === column),
  );
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(`docs/units.md has ${found.length} tables with the columns ${columns.join(', ')}.`);
  return found[0];
}

/** The code in the first column. */
export function namesIn(...columns: readonly string[]): readonly string[] {
  return tableOf(...columns).rows.map(({ cells }) => firstCode(cells[0]));
}
