import { oneLine } from './printable.js';
import { widthOf } from './display-width.js';

/** Blanks between two columns. */
const GAP = 2;
const MAX_CELL_CHARS = 120;

/**
 * Rows in columns that are as wide as the widest cell so far; later rows may be wider. Cells may hold foreign text:
 * they are shown on one line, and truncated.
 */
export class Table {
  readonly #widths: number[];

  constructor(private readonly headings: readonly string[]) {
    this.#widths = headings.map(widthOf);
  }

  head(): string {
    return this.line(this.headings);
  }

  /** Widens the columns to fit these rows, before any of them is shown. */
  fit(rows: readonly (readonly string[])[]): void {
    for (const row of rows)
      row.forEach((cell, column) => {
        this.#widths[column] = Math.max(this.#widths[column] ?? 0, widthOf(shown(cell)));
      });
  }

  /** The last cell that is not empty is not padded. */
  line(row: readonly string[]): string {
    const cells = row.map((cell, column) => {
      const text = shown(cell);
      return text + ' '.repeat(Math.max(0, (this.#widths[column] ?? 0) - widthOf(text)) + GAP);
    });
    return cells.join('').trimEnd();
  }
}

function shown(cell: string): string {
  return oneLine(cell, MAX_CELL_CHARS);
}
