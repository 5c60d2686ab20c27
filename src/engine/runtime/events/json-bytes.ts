import { isSurelyWithin } from '../../core/json-size.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Steps } from '../../core/steps.js';

/** A value that is certainly no longer than this is serialised at once. */
const PIECE_CHARS = 262_144;
const SLICE_CHARS = 65_536;
/** The items of a list that are taken at once: there may be half a million. */
const ITEMS_AT_ONCE = 1_024;
const QUOTES = 2;

/** How many bytes of UTF-8 `JSON.stringify` makes of a value. Counting a large one may be interrupted on the way. */
export function* bytesOfJson(value: JsonValue): Steps<number> {
  if (isSurelyWithin(value, PIECE_CHARS)) return Buffer.byteLength(JSON.stringify(value));
  if (typeof value === 'string') return yield* bytesOfText(value);
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    let bytes = QUOTES + Math.max(0, items.length - 1);
    for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) {
      bytes += yield* bytesOfItems(items.slice(start, start + ITEMS_AT_ONCE));
      yield;
    }
    return bytes;
  }
  let bytes = 1;
  for (const [name, field] of Object.entries(value as JsonObject)) {
    if (field === undefined) continue;
    bytes += Buffer.byteLength(JSON.stringify(name)) + 2 + (yield* bytesOfJson(field));
    yield;
  }
  // One comma less than fields, and a brace for it.
  return Math.max(bytes, QUOTES);
}

/** The bytes of the items, without brackets and commas. */
function* bytesOfItems(items: readonly JsonValue[]): Steps<number> {
  if (isSurelyWithin(items, PIECE_CHARS)) {
    return Buffer.byteLength(JSON.stringify(items)) - QUOTES - (items.length - 1);
  }
  let bytes = 0;
  for (const item of items) {
    bytes += yield* bytesOfJson(item);
    yield;
  }
  return bytes;
}

function* bytesOfText(text: string): Steps<number> {
  let bytes = QUOTES;
  for (let start = 0; start < text.length;) {
    const end = endOfSlice(text, start + SLICE_CHARS);
    bytes += Buffer.byteLength(JSON.stringify(text.slice(start, end))) - QUOTES;
    start = end;
    yield;
  }
  return bytes;
}

/** The end is never between the halves of a surrogate pair: each alone would be written as an escape. */
function endOfSlice(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}
