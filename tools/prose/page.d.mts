export interface Piece {
  readonly line: number;
  readonly text: string;
}

export interface Page {
  readonly pieces: readonly Piece[];
  readonly tableLines: readonly Piece[];
}

export function readPage(text: string): Page;
