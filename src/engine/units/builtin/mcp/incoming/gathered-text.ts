/** Pieces from here on are kept as they are. In UTF-16 code units. */
const LARGE_CHARS = 16 * 1024;

/**
 * A text that comes in pieces, kept in few of them however small they come: a server may send ten million of one byte. Small
 * ones are joined into pieces of twice the length, as a counter carries its digits: each character is copied at most a dozen
 * times, and besides the large pieces there is one of each length.
 */
export class GatheredText {
  #pieces: string[] = [];

  /** In how many pieces it is kept. */
  get pieces(): number {
    return this.#pieces.length;
  }

  add(piece: string): void {
    if (piece === '') return;
    let last = piece;
    for (let before = this.#pieces.at(-1); before !== undefined; before = this.#pieces.at(-1)) {
      if (before.length >= LARGE_CHARS || before.length >= 2 * last.length) break;
      this.#pieces.pop();
      // Not `+`, which would keep both, and a node that holds them.
      last = [before, last].join('');
    }
    this.#pieces.push(last);
  }

  /** All of it; begins anew. */
  take(): string {
    const text = this.#pieces.join('');
    this.#pieces = [];
    return text;
  }
}
