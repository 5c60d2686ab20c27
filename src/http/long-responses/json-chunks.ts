import { isLongerThan } from './json-length.js';
import { JsonText } from './json-text.js';

/** Recognises an object that stands for a number as it was sent (the gateway's `request-id.ts` makes them). */
const { isRawJSON } = JSON as unknown as { readonly isRawJSON: (value: unknown) => boolean };

/** The approximate length of a chunk; one that ends with many escapes is longer. */
const CHUNK_CHARS = 65_536;
/** The number of array items that are written together if all of them are short. */
const ITEMS_AT_ONCE = 256;
const SHORT_ITEM_CHARS = 64;

/**
 * The text that `JSON.stringify` makes of a JSON value, in chunks. The whole text is never one string, because it
 * could exceed the longest possible string. No chunk ends within a surrogate pair, so each can be encoded separately.
 */
export function* jsonChunks(value: unknown): Generator<string, void, undefined> {
  let chunk = '';
  for (const piece of piecesOf(value)) {
    chunk += piece;
    if (chunk.length < CHUNK_CHARS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** A container that is being written. */
interface Open {
  /** The entries that remain to be written, in order. */
  readonly entries: Iterator<readonly [key: string | null, value: unknown]>;
  readonly end: string;
  isEmpty: boolean;
}

/** Consecutive texts; each is a whole value or punctuation, except the parts of a long string. */
function* piecesOf(top: unknown): Generator<string, void, undefined> {
  const open: Open[] = [];
  let value = top;
  for (;;) {
    if (typeof value === 'string' && value.length > CHUNK_CHARS) yield* piecesOfString(value);
    else if (value instanceof JsonText) yield* piecesOfText(value);
    else if (value instanceof WrittenItems) yield value.text;
    else if (isContainer(value) && isLongerThan(value, CHUNK_CHARS)) {
      const items: readonly unknown[] | null = Array.isArray(value) ? value : null;
      yield items === null ? '{' : '[';
      const entries = items === null ? propertiesOf(value) : itemsOf(items);
      open.push({ entries, end: items === null ? '}' : ']', isEmpty: true });
    } else yield JSON.stringify(value);
    for (;;) {
      const innermost = open.at(-1);
      if (innermost === undefined) return;
      const next = innermost.entries.next();
      if (next.done === true) {
        yield innermost.end;
        open.pop();
        continue;
      }
      const [key, inner] = next.value;
      const name = key === null ? '' : `${JSON.stringify(key)}:`;
      yield innermost.isEmpty ? name : `,${name}`;
      innermost.isEmpty = false;
      value = inner;
      break;
    }
  }
}

/** Anything else, including values with a `toJSON`, is written by `JSON.stringify` in one piece. */
function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value) && !isRawJSON(value);
}

/** Several items of an array, with the commas between them. */
class WrittenItems {
  constructor(readonly text: string) {}
}

/** There may be half a million numbers, so short items are written together. */
function* itemsOf(items: readonly unknown[]): Generator<readonly [null, unknown]> {
  for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) {
    const some = items.slice(start, start + ITEMS_AT_ONCE);
    if (some.every(isShort)) yield [null, new WrittenItems(JSON.stringify(some).slice(1, -1))];
    else for (const item of some) yield [null, isNothing(item) ? null : item];
  }
}

function isShort(item: unknown): boolean {
  if (typeof item === 'string') return item.length <= SHORT_ITEM_CHARS;
  return typeof item === 'number' || typeof item === 'boolean' || item === null;
}

function* propertiesOf(object: object): Generator<readonly [string, unknown]> {
  for (const key of Object.keys(object)) {
    const value: unknown = (object as Readonly<Record<string, unknown>>)[key];
    if (!isNothing(value)) yield [key, value];
  }
}

/** A value that JSON leaves out of an object and writes as null in an array. */
function isNothing(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function* piecesOfString(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length;) {
    const end = endOfSlice(text, start + CHUNK_CHARS);
    yield escaped(text.slice(start, end));
    start = end;
  }
  yield '"';
}

/** The chunks of JSON within a string do not end within a surrogate pair either. */
function* piecesOfText({ value }: JsonText): Generator<string> {
  yield '"';
  for (const chunk of jsonChunks(value)) yield escaped(chunk);
  yield '"';
}

/** At `end` or one before it, so that both surrogates of a pair stay together. */
function endOfSlice(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const isInPair = isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end));
  return isInPair ? end - 1 : end;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
