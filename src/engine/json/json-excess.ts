import { DEFAULT_JSON_LIMITS } from './copy-json.js';

/** A shorter text is parsed in a millisecond, whatever it holds. */
const SHORTEST_CHARS = 64 * 1024;
/** For the few values around an input: so what is wrong with an input is said of the input. */
const MORE = 1_000;
const MAX_VALUES = DEFAULT_JSON_LIMITS.maxNodes + MORE;
const MAX_KEYS = DEFAULT_JSON_LIMITS.maxKeys + MORE;

/** How many values and keys a text holds. */
export interface JsonWeight {
  readonly values: number;
  readonly keys: number;
}

/** How much of each a text may hold. */
export interface JsonExcessLimits extends JsonWeight {
  /** Lists and objects inside one another; absent: as many as it has values. */
  readonly levels?: number;
}

/** Of the text of one input, or of one answer. */
export const DEFAULT_JSON_EXCESS: JsonExcessLimits = { values: MAX_VALUES, keys: MAX_KEYS };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** A digit, a minus, a point. */
const isOfNumber = (code: number): boolean => code > COMMA && code < COLON;

/**
 * What is too much in a JSON text, after "The body" or "answer"; null: nothing. Eight megabytes of tiny keys or levels
 * take ten times as long to parse as one text of that length, and this takes a tenth of it. A text that is no JSON may
 * pass; what is more than one value, as lines of JSON are, always does.
 */
export function excessOfJson(text: string, most = DEFAULT_JSON_EXCESS): string | null {
  // Whoever bounds levels goes down into them: those of a short text are too many for that, too.
  if (text.length < SHORTEST_CHARS && text.length <= (most.levels ?? Infinity)) return null;
  const weight = weightOfJson(text, most);
  return typeof weight === 'string' ? weight : null;
}

/** How many values and keys a JSON text holds; a text says what of it is more than `most`. */
export function weightOfJson(text: string, most: JsonExcessLimits): JsonWeight | string {
  const maxLevels = most.levels ?? Infinity;
  let values = 1;
  let keys = 0;
  let levels = 0;
  let before = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= SPACE) continue;
    // Something after the value, or before it: the parser stops here.
    if (levels === 0 && before !== 0) break;
    if (isOfNumber(code)) {
      // First, and by itself: most of what is no text is numbers.
    } else if (code === QUOTE) i = endOfString(text, i);
    else if (code === COMMA) {
      if (++values > most.values) return tooMany('values', most.values);
    } else if (code === COLON) {
      if (++keys > most.keys) return tooMany('keys', most.keys);
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++levels > maxLevels) return tooMany('levels', maxLevels);
      if (++values > most.values) return tooMany('values', most.values);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      levels -= 1;
      // It was empty.
      if (before === OPEN_LIST || before === OPEN_OBJECT) values -= 1;
    }
    before = code;
  }
  return { values, keys };
}

function tooMany(what: string, limit: number): string {
  return `holds more than ${limit} ${what}: split it, or send a link to it`;
}

/** The index of the quote that ends it; that of the last character where none does. */
function endOfString(text: string, start: number): number {
  const first = text.indexOf('"', start + 1);
  if (first === -1) return text.length - 1;
  if (text.charCodeAt(first - 1) !== BACKSLASH) return first;
  // Looking for one quote after the other takes ten times as long where they are all escaped.
  let end = start + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === QUOTE) break;
    end += code === BACKSLASH ? 2 : 1;
  }
  return end;
}
