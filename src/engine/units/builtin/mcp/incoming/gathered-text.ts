/** Pieces of at least this length are kept as they are, in UTF-16 code units. */
const LARGE_CHARS = 16 * 1024;

/**
 * A text that arrives in pieces and is kept in few, however small they are: a server may send ten million of one byte. Small
 * ones are joined into pieces of twice the length, as a counter carries its digits: each character is copied at most a dozen
 * times, and next to the large pieces there is at most one of each length.
 */
export class GatheredText {
  #pieces: string[] = [];

  /** The number of pieces in which it is kept. */
  get pieces(): number {
    return this.#pieces.length;
  }

  add(piece: string): void {
    if (piece === '') return;
    let last = piece;
    for (let before = this.#pieces.at(-1); before !== undefined; before = this.#pieces.at(-1)) {
      if (before.length >= LARGE_CHARS || before.length >= 2 * last.length) break;
      this.#pieces.pop();
      // Not `+`, which would keep both texts, and a node that refers to them.
      last = [before, last].join('');
    }
    this.#pieces.push(last);
  }

  /** Returns the whole text and starts over. */
  take(): string {
    const text = this.#pieces.join('');
    this.#pieces = [];
    return text;
  }
}
