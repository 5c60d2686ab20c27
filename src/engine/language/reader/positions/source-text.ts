/** A position in a text; line and column count from 1, columns in UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The YAML text; where its lines begin is computed at the first request. */
export class SourceText {
  readonly text: string;
  #lineStarts: readonly number[] | undefined;

  constructor(text: string) {
    // A byte-order mark is no part of the first line.
    this.text = text.startsWith('\uFEFF') ? text.slice(1) : text;
  }

  /** The position of an offset; one beyond the end gives the end. */
  positionAt(offset: number): TextPosition {
    const starts = (this.#lineStarts ??= lineStarts(this.text));
    const target = Math.min(Math.max(offset, 0), this.text.length);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= target) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: target - (starts[low] ?? 0) + 1 };
  }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
