const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
/** The longest spelling of the key `id`, with both letters escaped, without its last quote. */
const LONGEST_KEY = 13;
const LONGEST_UNPARSED_ID = 1_000;

/**
 * The id to echo: that of the request or, for a number that is not a safe integer, the digits that were sent. `text`
 * is null if a host's body parser has discarded them.
 */
export function exactId(id: unknown, text: string | null): unknown {
  if (typeof id !== 'number' || Number.isSafeInteger(id) || text === null) return id;
  const source = topLevelId(text);
  return source === null ? id : rawJSON(source);
}

/** The id to echo for a text that was not parsed, and may not be JSON; null if it has none that can be echoed. */
export function unparsedId(text: string): unknown {
  try {
    const source = topLevelId(text);
    if (source === null || source.length > LONGEST_UNPARSED_ID) return null;
    const id: unknown = JSON.parse(source);
    return typeof id === 'string' ? id : typeof id === 'number' ? exactId(id, text) : null;
  } catch {
    return null;
  }
}

/**
 * The last `id` of the object that `text` is, as it was written. For a text that is not JSON it returns anything, or
 * throws. A reviver of JSON.parse would find the same, but runs out of stack if the params are nested deeply.
 */
function topLevelId(text: string): string | null {
  let source: string | null = null;
  let depth = 0;
  let key = '';
  let valueStart = 0;
  let lastText = '';
  const endOfValue = (end: number): void => {
    if (key === 'id') source = text.slice(valueStart, end).trim();
    key = '';
  };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      const end = endOfString(text, i);
      if (depth === 1 && end - i <= LONGEST_KEY) lastText = JSON.parse(text.slice(i, end + 1)) as string;
      else if (depth === 1) lastText = '';
      i = end;
    } else if (OPENING.has(code)) depth += 1;
    else if (CLOSING.has(code)) {
      if (depth === 1) endOfValue(i);
      depth -= 1;
    } else if (depth === 1 && code === COLON) [key, valueStart] = [lastText, i + 1];
    else if (depth === 1 && code === COMMA) endOfValue(i);
  }
  return source;
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1;
  return i;
}
