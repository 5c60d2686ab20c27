import { DEFAULT_JSON_LIMITS } from './copy-json.js';

/** A shorter text is parsed in a millisecond, whatever it holds. */
const SHORTEST_CHARS = 64 * 1024;
/** The margin for the few values around an input, so that a fault of the input is reported as one of the input. */
const MORE = 1_000;
const MAX_VALUES = DEFAULT_JSON_LIMITS.maxNodes + MORE;
const MAX_KEYS = DEFAULT_JSON_LIMITS.maxKeys + MORE;

/** How many values and keys a text holds. */
export interface JsonWeight {
  readonly values: number;
  readonly keys: number;
}

/** The limits of what a text may hold. */
export interface JsonTextLimits extends JsonWeight {
  /** Lists and objects inside one another; absent: as many as it has values. */
  readonly levels?: number;
}

/** The limits for the text of one input, or of one result. */
export const DEFAULT_JSON_TEXT_LIMITS: JsonTextLimits = { values: MAX_VALUES, keys: MAX_KEYS };

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
 * The limit that a JSON text exceeds, to follow "The body" or "answer"; null: none. Eight megabytes of tiny keys or levels
 * take ten times as long to parse as one text of that length, and this check takes a tenth of it. A text that is no JSON may
 * pass; what is more than one value, as lines of JSON are, always does.
 */
export function exceededJsonLimit(text: string, most = DEFAULT_JSON_TEXT_LIMITS): string | null {
  // A caller that limits levels recurses into them: even a short text can have too many for that.
  if (text.length < SHORTEST_CHARS && text.length <= (most.levels ?? Infinity)) return null;
  const weight = weightOfJson(text, most);
  return typeof weight === 'string' ? weight : null;
}

/** Counts the values and keys of a JSON text; a text names the limit of `most` that it exceeds. */
export function weightOfJson(text: string, most: JsonTextLimits): JsonWeight | string {
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
      // The list or object was empty.
      if (before === OPEN_LIST || before === OPEN_OBJECT) values -= 1;
    }
    before = code;
  }
  return { values, keys };
}

function tooMany(what: string, limit: number): string {
  return `holds more than ${limit} ${what}: split it, or send a link to it`;
}

/** The index of the quote that ends the string; that of the last character where none does. */
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
