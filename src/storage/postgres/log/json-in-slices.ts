import type { JsonValue } from '../../../engine/core/json.js';
import { inSlices } from '../../../engine/scheduling/slice.js';

/** Parsing this many characters takes about a millisecond. */
export const MAX_PIECE_CHARS = 262_144;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const LOWER_U = 117;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const BLANKS: ReadonlySet<number> = new Set([9, 10, 13, 32]);

/** Characters of an escape: `\u0000`, or `\n`. */
const LONG_ESCAPE = 6;
const SHORT_ESCAPE = 2;

/** What is neither a string nor has brackets ends before one of these. */
const LITERAL = /[^\s,\]}]*/y;

/**
 * As `JSON.parse`, for a text of any length that `JSON.stringify` has made, without blocking the event loop: what is longer than a
 * piece is parsed piece by piece, in slices of time. Small items and members that follow one another are one piece; one that is
 * long by itself is entered, and a long string is parsed part by part.
 */
export function parseJson(text: string): JsonValue | Promise<JsonValue> {
  return text.length <= MAX_PIECE_CHARS ? parse(text) : inSlices(parseLong(text));
}

/** May be interrupted after each piece, of 16 characters or more. */
export function parseLong(
  text: string,
  pieceChars: number = MAX_PIECE_CHARS,
): Generator<void, JsonValue, void> {
  return new LongText(text, pieceChars).value();
}

/** Reads a text from its start to its end; what is at hand is at `at`. */
class LongText {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly pieceChars: number,
  ) {}

  *value(): Generator<void, JsonValue, void> {
    this.skipBlanks();
    switch (this.text.charCodeAt(this.at)) {
      case QUOTE:
        return yield* this.string();
      case OPEN_BRACKET:
        return yield* this.items();
      case OPEN_BRACE:
        return yield* this.members();
      default:
        return this.literal();
    }
  }

  private *items(): Generator<void, JsonValue, void> {
    const items: JsonValue[] = [];
    do {
      this.at += 1;
      const small = this.smallParts();
      if (small === null) items.push(yield* this.value());
      else for (const item of parse(`[${small}]`) as JsonValue[]) items.push(item);
      yield;
    } while (this.continuesUntil(CLOSE_BRACKET));
    return items;
  }

  private *members(): Generator<void, JsonValue, void> {
    const members: Record<string, JsonValue> = {};
    do {
      this.at += 1;
      const small = this.smallParts();
      if (small === null) {
        this.skipBlanks();
        const key = yield* this.string();
        this.skipBlanks();
        if (this.text.charCodeAt(this.at) !== COLON) throw this.noJson();
        this.at += 1;
        define(members, key, yield* this.value());
      } else {
        const some = parse(`{${small}}`) as Record<string, JsonValue>;
        for (const [key, value] of Object.entries(some)) define(members, key, value);
      }
      yield;
    } while (this.continuesUntil(CLOSE_BRACE));
    return members;
  }

  private *string(): Generator<void, string, void> {
    let value = '';
    for (this.at += 1; ;) {
      const from = this.at;
      const limit = from + this.pieceChars;
      const closing = this.closingQuote(from, limit);
      if (closing === null && limit >= this.text.length) throw this.noJson();
      this.at = closing ?? this.beforeEscape(limit, from);
      value += parse(`"${this.text.slice(from, this.at)}"`) as string;
      if (closing !== null) break;
      yield;
    }
    this.at += 1;
    return value;
  }

  private literal(): JsonValue {
    LITERAL.lastIndex = this.at;
    const [literal = ''] = LITERAL.exec(this.text) ?? [];
    this.at += literal.length;
    return parse(literal);
  }

  /**
   * As many of the items or members that come next as a piece holds, up to a comma or the closing bracket, which is at hand then.
   * Null: the first of them is longer than a piece.
   */
  private smallParts(): string | null {
    const { text, at: from } = this;
    const limit = Math.min(from + this.pieceChars, text.length);
    let end = -1;
    let depth = 0;
    for (let at = from; at < limit; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const closing = this.closingQuote(at + 1, limit);
        if (closing === null) break;
        at = closing;
      } else if (code === OPEN_BRACKET || code === OPEN_BRACE) depth += 1;
      else if (code === COMMA && depth === 0) end = at;
      else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) {
        depth -= 1;
        if (depth >= 0) continue;
        end = at;
        break;
      }
    }
    if (end === -1) return null;
    this.at = end;
    return text.slice(from, end);
  }

  /** Whether a comma is at hand, and not the bracket, which is passed. */
  private continuesUntil(closing: number): boolean {
    this.skipBlanks();
    const code = this.text.charCodeAt(this.at);
    if (code === COMMA) return true;
    if (code !== closing) throw this.noJson();
    this.at += 1;
    return false;
  }

  /** `from` is in a string, and in no escape. Null: the string does not end before the limit. */
  private closingQuote(from: number, limit: number): number | null {
    const part = this.text.slice(from, limit);
    for (let quote = part.indexOf('"'); quote !== -1; quote = part.indexOf('"', quote + 1)) {
      if (this.backslashesBefore(from + quote, from) % 2 === 0) return from + quote;
    }
    return null;
  }

  /** The index, or that of the escape that it would cut in two. */
  private beforeEscape(index: number, from: number): number {
    const { text } = this;
    const first = Math.max(from, index - LONG_ESCAPE + 1);
    let backslash = index - 1;
    while (backslash >= first && text.charCodeAt(backslash) !== BACKSLASH) backslash -= 1;
    if (backslash < first) return index;
    // Of two in a row the first one escapes the second.
    const begins = this.backslashesBefore(backslash, from) % 2 === 0;
    const start = begins ? backslash : backslash - 1;
    const isLong = begins && text.charCodeAt(backslash + 1) === LOWER_U;
    return start + (isLong ? LONG_ESCAPE : SHORT_ESCAPE) > index ? start : index;
  }

  private backslashesBefore(index: number, from: number): number {
    let first = index;
    while (first > from && this.text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    return index - first;
  }

  private skipBlanks(): void {
    while (BLANKS.has(this.text.charCodeAt(this.at))) this.at += 1;
  }

  private noJson(): SyntaxError {
    return new SyntaxError(`the text is no JSON at index ${this.at}`);
  }
}

function parse(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  return value;
}

/** Defines a member as JSON.parse does: `__proto__` is a key like any other. */
function define(members: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, enumerable: true, writable: true, configurable: true });
}
