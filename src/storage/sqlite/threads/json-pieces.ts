import type { JsonObject, JsonValue } from '../../../engine/core/json.js';

/** Parsing this many characters takes about a millisecond. */
export const MAX_PIECE_CHARS = 262_144;

/**
 * A JSON value as texts that can be parsed separately: one text, or, for what is larger, its parts in order. A part is a
 * text of several items or members at once, or one that is itself large, with its key (in an array: ''). A long string is
 * sent as it is, and need not be parsed at all.
 */
export type JsonPieces =
  string | { readonly longString: string } | { readonly isArray: boolean; readonly parts: readonly Part[] };
type Part = string | readonly [key: string, value: JsonPieces];

/** To be called in a thread that may take its time: it costs a multiple of what parsing the value did. */
export function splitJson(value: JsonValue): JsonPieces {
  if (typeof value === 'string' && value.length > MAX_PIECE_CHARS) return { longString: value };
  if (value === null || typeof value !== 'object' || mostChars(value, MAX_PIECE_CHARS) <= MAX_PIECE_CHARS) {
    return JSON.stringify(value);
  }
  const isArray = Array.isArray(value);
  const parts = isArray ? partsOfItems(value) : partsOfMembers(value as JsonObject);
  const [only = isArray ? '[]' : '{}', ...others] = parts;
  return typeof only === 'string' && others.length === 0 ? only : { isArray, parts };
}

function partsOfMembers(object: JsonObject): readonly Part[] {
  const parts: Part[] = [];
  let texts: string[] = [];
  let chars = 0;
  const endText = (): void => {
    if (texts.length > 0) parts.push(`{${texts.join(',')}}`);
    texts = [];
    chars = 0;
  };
  for (const [key, inner] of Object.entries(object)) {
    const pieces = splitJson(inner);
    if (typeof pieces !== 'string' || pieces.length > MAX_PIECE_CHARS) {
      endText();
      parts.push([key, pieces]);
      continue;
    }
    const text = `${JSON.stringify(key)}:${pieces}`;
    if (chars + text.length > MAX_PIECE_CHARS) endText();
    texts.push(text);
    chars += text.length + 1;
  }
  endText();
  return parts;
}

/** There may be half a million items: those that are small are written together. */
function partsOfItems(items: readonly JsonValue[]): readonly Part[] {
  const parts: Part[] = [];
  let begin = 0;
  let chars = 2;
  const endText = (end: number): void => {
    if (end > begin) parts.push(JSON.stringify(items.slice(begin, end)));
    begin = end;
    chars = 2;
  };
  items.forEach((item, index) => {
    const most = mostChars(item, MAX_PIECE_CHARS) + 1;
    if (chars + most > MAX_PIECE_CHARS) endText(index);
    chars += most;
    if (chars <= MAX_PIECE_CHARS) return;
    parts.push(['', splitJson(item)]);
    begin = index + 1;
    chars = 2;
  });
  endText(items.length);
  return parts;
}

/** Rebuilds the value. It may be interrupted after each text. */
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

/** Defines a member as JSON.parse does: `__proto__` is a key like any other. */
function define(members: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, enumerable: true, writable: true, configurable: true });
}

const MOST_CHARS_OF_A_NUMBER = 25;
/** A character may be written as `\u0000`. */
const MOST_CHARS_OF_A_CHARACTER = 6;

/** An upper bound of the value's length as JSON; what is beyond `enough` is not looked at. */
function mostChars(value: JsonValue, enough: number): number {
  if (typeof value === 'string') return 2 + value.length * MOST_CHARS_OF_A_CHARACTER;
  if (value === null || typeof value !== 'object') return MOST_CHARS_OF_A_NUMBER;
  let most = 2;
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    for (let i = 0; i < items.length && most <= enough; i++) {
      most += 1 + mostChars(items[i] as JsonValue, enough - most);
    }
    return most;
  }
  for (const [key, inner] of Object.entries(value)) {
    if (most > enough) break;
    most += 4 + key.length * MOST_CHARS_OF_A_CHARACTER + mostChars(inner as JsonValue, enough - most);
  }
  return most;
}
