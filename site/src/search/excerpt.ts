/** A piece of a text; a match is one of the words that were looked for. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

const BEFORE = 60;
const LENGTH = 180;

/** What of a text shows why it was found: the surroundings of the first of the words. */
export function excerptOf(text: string, words: readonly string[]): readonly Piece[] {
  const pattern = patternOf(words);
  const first = pattern === null ? 0 : Math.max(0, text.search(pattern));
  const from = first <= BEFORE ? 0 : startOfWord(text, first - BEFORE);
  const to = from + LENGTH >= text.length ? text.length : endOfWord(text, from + LENGTH);
  const shown = `${from === 0 ? '' : '… '}${text.slice(from, to)}${to === text.length ? '' : ' …'}`;
  return pattern === null ? [{ text: shown, isMatch: false }] : piecesOf(shown, pattern);
}

/** The text in pieces, none of them empty. */
export function marked(text: string, words: readonly string[]): readonly Piece[] {
  const pattern = patternOf(words);
  return pattern === null ? [{ text, isMatch: false }] : piecesOf(text, pattern);
}

function piecesOf(text: string, pattern: RegExp): readonly Piece[] {
  // What a group captures is at every second place.
  return text
    .split(pattern)
    .map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** Null: there is no word. The words are those of the index, which has letters and digits alone. */
function patternOf(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null;
  const escaped = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(String.raw`((?<![\p{L}\p{N}])(?:${escaped.join('|')}))`, 'iu');
}

function startOfWord(text: string, from: number): number {
  const blank = text.lastIndexOf(' ', from);
  return blank === -1 ? from : blank + 1;
}

function endOfWord(text: string, to: number): number {
  const blank = text.indexOf(' ', to);
  return blank === -1 ? text.length : blank;
}
