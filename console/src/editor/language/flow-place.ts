import { unquoted } from './line-cells.js';
import type { YamlPlace } from './yaml-place.js';

interface OpenBracket {
  readonly kind: 'map' | 'list';
  key: string | null;
  readonly entries: Map<string, string>;
}

type Inside = Pick<YamlPlace, 'frames' | 'at' | 'from'>;

/** What comes after the position is looked at so far: a `type` behind its siblings is near. */
const CHARACTERS_AHEAD = 2_000;

/** Where a position is in the brackets that open at an offset; null: they are closed before it. */
export function flowPlace(text: string, offset: number, position: number): Inside | null {
  const scan = new BracketScan(text, offset);
  scan.to(position);
  if (scan.open.length === 0) return null;
  const inner = scan.open.at(-1);
  const frames = scan.open.map(({ kind, key, entries }) =>
    kind === 'list' ? { kind } : { kind, key, entries },
  );
  const at = inner?.kind === 'list' ? 'item' : inner?.key === null ? 'key' : 'value';
  const depth = scan.open.length;
  const { wordStart, isInComment } = scan;
  scan.to(Math.min(text.length, position + CHARACTERS_AHEAD), depth);
  return { frames, at: isInComment ? 'nothing' : at, from: wordStart ?? position };
}

/** Goes through a text in brackets, and knows at each character what is open. */
class BracketScan {
  readonly open: OpenBracket[] = [];
  isInComment = false;
  #at: number;
  /** Where the scalar begins that is being read; null: between two. */
  #word: number | null = null;

  constructor(
    private readonly text: string,
    offset: number,
  ) {
    this.#at = offset;
  }

  /** Where the word that is being read begins, behind its quote. */
  get wordStart(): number | null {
    if (this.#word === null) return null;
    return /["']/.test(this.text.charAt(this.#word)) ? this.#word + 1 : this.#word;
  }

  /** Goes on to the position, or until fewer are open than that. */
  to(position: number, least = 1): void {
    while (this.#at < position) {
      this.#step(this.text.charAt(this.#at), position);
      if (this.open.length < least) return;
    }
  }

  #step(character: string, position: number): void {
    const { text } = this;
    if (this.isInComment) {
      this.isInComment = character !== '\n';
      this.#at += 1;
      return;
    }
    if (this.#word === null && (character === '"' || character === "'")) {
      const end = closingQuote(text, this.#at, position);
      this.#word = this.#at;
      this.#at = end;
      return;
    }
    if (text.startsWith('${{', this.#at)) {
      const end = text.indexOf('}}', this.#at);
      this.#word ??= this.#at;
      this.#at = end === -1 || end + 2 > position ? position : end + 2;
      return;
    }
    this.#at += 1;
    if (character === '#' && /\s/.test(text.charAt(this.#at - 2))) this.isInComment = true;
    else if (character === '{' || character === '[')
      this.open.push({ kind: character === '{' ? 'map' : 'list', key: null, entries: new Map() });
    else if (character === '}' || character === ']') this.#close();
    else if (character === ',') this.#endOfEntry();
    else if (character === ':' && this.#isAfterKey()) this.#endOfKey();
    else if (!/\s/.test(character)) this.#word ??= this.#at - 1;
  }

  #isAfterKey(): boolean {
    const inner = this.open.at(-1);
    if (inner?.kind !== 'map' || inner.key !== null || this.#word === null) return false;
    return /["']/.test(this.text.charAt(this.#word)) || /[\s,[\]{}]|^$/.test(this.text.charAt(this.#at));
  }

  #endOfKey(): void {
    const inner = this.open.at(-1);
    if (inner === undefined) return;
    inner.key = this.#scalar(this.#at - 1);
    inner.entries.set(inner.key, '');
    this.#word = null;
  }

  #endOfEntry(): void {
    const inner = this.open.at(-1);
    if (inner !== undefined && inner.key !== null && this.#word !== null)
      inner.entries.set(inner.key, this.#scalar(this.#at - 1));
    if (inner !== undefined) inner.key = null;
    this.#word = null;
  }

  #close(): void {
    this.#endOfEntry();
    this.open.pop();
  }

  #scalar(end: number): string {
    return unquoted(this.text.slice(this.#word ?? end, end));
  }
}

/** Behind the quote that closes the one at the offset, or the position, where it is not closed before that. */
function closingQuote(text: string, offset: number, position: number): number {
  const quote = text.charAt(offset);
  for (let at = offset + 1; at < position; at++) {
    if (quote === '"' && text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === quote) return at + 1;
  }
  return position;
}
