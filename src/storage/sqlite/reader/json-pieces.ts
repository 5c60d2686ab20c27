import type { JsonValue } from '../../../engine/core/json.js';

/** Parsing so many characters takes about a millisecond. */
export const MAX_PIECE_CHARS = 262_144;

/**
 * A JSON value as texts that can be parsed one by one: one text, or, for what is larger, its parts in order. A part is
 * a text of several items or members at once, or one that is itself large, with its key (in an array: ''). A long
 * string is sent as it is, and need not be parsed at all.
 */
export type JsonPieces =
  string | { readonly longString: string } | { readonly isArray: boolean; readonly parts: readonly Part[] };
type Part = string | readonly [key: string, value: JsonPieces];

/** For the thread that may take its time: it costs a multiple of what parsing the value did. */
export function splitJson(value: JsonValue): JsonPieces {
  if (typeof value === 'string' && value.length > MAX_PIECE_CHARS) return { longString: value };
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const parts: Part[] = [];
  let texts: string[] = [];
  let chars = 0;
  const endText = (): void => {
    if (texts.length > 0) parts.push(isArray ? `[${texts.join(',')}]` : `{${texts.join(',')}}`);
    texts = [];
    chars = 0;
  };
  for (const [key, inner] of Object.entries(value)) {
    const pieces = splitJson(inner);
    if (typeof pieces !== 'string' || pieces.length > MAX_PIECE_CHARS) {
      endText();
      parts.push([isArray ? '' : key, pieces]);
      continue;
    }
    const text = isArray ? pieces : `${JSON.stringify(key)}:${pieces}`;
    if (chars + text.length > MAX_PIECE_CHARS) endText();
    texts.push(text);
    chars += text.length + 1;
  }
  endText();
  const [only = isArray ? '[]' : '{}', ...others] = parts;
  return typeof only === 'string' && others.length === 0 ? only : { isArray, parts };
}

/** The value again. It may be interrupted after each text. */
export function* joinJson(pieces: JsonPieces): Generator<void, JsonValue, void> {
  if (typeof pieces === 'string') return parse(pieces);
  if ('longString' in pieces) return pieces.longString;
  const items: JsonValue[] = [];
  const members: Record<string, JsonValue> = {};
  for (const part of pieces.parts) {
    yield;
    if (typeof part === 'string') {
      const some = parse(part) as JsonValue[] | Record<string, JsonValue>;
      if (Array.isArray(some)) for (const item of some) items.push(item);
      else for (const [key, value] of Object.entries(some)) define(members, key, value);
      continue;
    }
    const [key, inner] = part;
    const value = yield* joinJson(inner);
    if (pieces.isArray) items.push(value);
    else define(members, key, value);
  }
  return pieces.isArray ? items : members;
}

function parse(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  return value;
}

/** As JSON.parse makes members: `__proto__` is a key like any other. */
function define(members: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, enumerable: true, writable: true, configurable: true });
}
