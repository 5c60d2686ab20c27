/** A shorter text is parsed in a millisecond, whatever it holds. */
const SHORTEST_BYTES = 64 * 1024;
/** Beyond what an input may hold by the few values around it, so that what is wrong with an input is said of the input. */
const MAX_VALUES = 501_000;
const MAX_KEYS = 51_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/**
 * What is too much in a JSON text, after "The body"; null: nothing. Eight megabytes of tiny keys or levels take ten times
 * as long to parse as one text of that length, and this takes a tenth of it. A text that is no JSON may pass.
 */
export function excessOfJson(bytes: Buffer): string | null {
  if (bytes.length < SHORTEST_BYTES) return null;
  let values = 1;
  let keys = 0;
  let before = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte <= SPACE) continue;
    if (byte === QUOTE) i = endOfString(bytes, i);
    else if (byte === COMMA) {
      if (++values > MAX_VALUES) return tooMany('values', MAX_VALUES);
    } else if (byte === COLON) {
      if (++keys > MAX_KEYS) return tooMany('keys', MAX_KEYS);
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++values > MAX_VALUES) return tooMany('values', MAX_VALUES);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      // It was empty.
      if (before === OPEN_LIST || before === OPEN_OBJECT) values -= 1;
    }
    before = byte;
  }
  return null;
}

function tooMany(what: string, limit: number): string {
  return `holds more than ${limit} ${what}: split it, or send a link to it`;
}

/** The index of the quote that ends it; that of the last byte where none does. */
function endOfString(bytes: Buffer, start: number): number {
  const first = bytes.indexOf(QUOTE, start + 1);
  if (first === -1) return bytes.length - 1;
  if (bytes[first - 1] !== BACKSLASH) return first;
  // Looking for one quote after the other takes ten times as long where they are all escaped.
  let end = start + 1;
  while (end < bytes.length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
  return end;
}
