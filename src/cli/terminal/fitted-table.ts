import { truncateToWidth, widthOf } from './display-width.js';
import type { Paint } from './paint.js';
import { oneLine } from './printable.js';
import { inTone, type Tone } from './tone.js';

/** Blanks between two columns. */
const GAP = 2;
/** What a column that gives way keeps at least. */
const MIN_WIDTH = 10;
const MAX_CELL_CHARS = 1_000;

export interface Column<Item> {
  readonly heading: string;
  readonly cell: (item: Item) => string;
  readonly tone?: (item: Item) => Tone;
  /** Its cells may be truncated where the row does not fit. */
  readonly givesWay?: boolean;
}

export interface TableFrame {
  /** Columns of the terminal; `Infinity`: rows are as long as they need to be. */
  readonly width: number;
  readonly paint: Paint;
  /** Whether columns that hold nothing stay, as rows may follow that hold something. Default false. */
  readonly keepsEmpty?: boolean;
}

/**
 * Items in rows that fit the width: columns that hold nothing are left out, those that give way are truncated, the widest
 * first. Cells may hold foreign text: each is shown on one line, without control characters. A frame once made keeps its
 * widths, so that further rows stand under the same heading.
 */
export class FittedTable<Item> {
  readonly #columns: readonly Column<Item>[];
  readonly #widths: readonly number[];
  readonly #frame: TableFrame;

  constructor(columns: readonly Column<Item>[], sample: readonly Item[], frame: TableFrame) {
    const { keepsEmpty = false } = frame;
    this.#columns = columns.filter(({ cell }) => keepsEmpty || sample.some((item) => cell(item) !== ''));
    const needed = this.#columns.map(({ heading, cell }) =>
      Math.max(widthOf(heading), ...sample.map((item) => widthOf(shown(cell(item))))),
    );
    this.#widths = fitted(
      needed,
      this.#columns.map(({ givesWay = false }) => givesWay),
      frame.width,
    );
    this.#frame = frame;
  }

  head(): string {
    const { paint } = this.#frame;
    return paint('bold', this.#row(this.#columns.map(({ heading }) => [heading, 'plain'])));
  }

  line(item: Item): string {
    return this.#row(this.#columns.map(({ cell, tone }) => [shown(cell(item)), tone?.(item) ?? 'plain']));
  }

  #row(cells: readonly (readonly [string, Tone])[]): string {
    const { paint } = this.#frame;
    const last = cells.findLastIndex(([text]) => text !== '');
    const parts = cells.slice(0, last + 1).map(([text, tone], column) => {
      const width = this.#widths[column] ?? 0;
      const whole = widthOf(text) <= width ? text : `${truncateToWidth(text, width - 1)}…`;
      const padding = column === last ? '' : ' '.repeat(width - widthOf(whole) + GAP);
      return inTone(paint, tone, whole) + padding;
    });
    return parts.join('');
  }
}

/** The widths that columns get of what they need. */
function fitted(needed: readonly number[], givesWay: readonly boolean[], width: number): readonly number[] {
  const widths = [...needed];
  const taken = (): number => widths.reduce((sum, one) => sum + one + GAP, -GAP);
  while (taken() > width) {
    const widest = widths.reduce(
      (found, one, column) =>
        givesWay[column] === true && one > MIN_WIDTH && one > (widths[found] ?? 0) ? column : found,
      -1,
    );
    if (widest === -1) return widths;
    widths[widest] = Math.max(MIN_WIDTH, (widths[widest] ?? 0) - 1);
  }
  return widths;
}

function shown(cell: string): string {
  return oneLine(cell, MAX_CELL_CHARS);
}
