import { beginningOf } from '../../core/turn/failing/beginning-of.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Steps } from '../../core/steps.js';
import { beginningOfJson } from '../../json/beginning-of-json.js';
import type { CutValue } from '../../public-events.js';
import { bytesOfJson } from './json-bytes.js';

/** A value that takes more as JSON is left out. */
const MAX_VALUE_BYTES = 4_096;
const HEAD_CHARS = 256;
/** Objects are searched down to this depth, and up to `MAX_TRUNCATED` values of one are named individually. */
const MAX_DEPTH = 4;
const MAX_TRUNCATED = 16;

export interface TruncatedData {
  readonly data: JsonObject;
  /** The values that were left out, by JSON pointer; null: none. */
  readonly cut: readonly CutValue[] | null;
  /** The size of the JSON of both, slightly overestimated. */
  readonly bytes: number;
}

interface Kept {
  readonly value: JsonValue;
  readonly bytes: number;
}

/**
 * The data of an event without the values above 4 KiB. Of a large object as few fields as necessary are left out, of a large
 * list all of it, since the items after a gap must keep their index.
 */
export function* truncateLarge(data: JsonObject): Steps<TruncatedData> {
  const cut: CutValue[] = [];
  const kept: [string, JsonValue][] = [];
  let bytes = 0;
  for (const [name, value] of Object.entries(data)) {
    const field = yield* truncateValue(value, `/${escaped(name)}`, 1, cut);
    if (field === null) continue;
    kept.push([name, field.value]);
    bytes += name.length + 4 + field.bytes;
  }
  if (cut.length === 0) return { data, cut: null, bytes };
  const bytesOfTruncated = cut.reduce(
    (sum, { pointer, head }) => sum + 3 * (pointer.length + head.length) + 40,
    0,
  );
  return { data: Object.fromEntries(kept), cut, bytes: bytes + bytesOfTruncated };
}

/** Null: the value was left out, and is in `cut`. */
function* truncateValue(
  value: JsonValue,
  pointer: string,
  depth: number,
  cut: CutValue[],
): Steps<Kept | null> {
  const bytes = yield* bytesOfJson(value);
  if (bytes <= MAX_VALUE_BYTES) return { value, bytes };
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < MAX_DEPTH) {
    const within: CutValue[] = [];
    const kept = yield* truncateFields(value as JsonObject, pointer, depth, within);
    if (kept !== null) {
      cut.push(...within);
      return kept;
    }
  }
  cut.push({ pointer, bytes, head: headOf(value) });
  return null;
}

/** Null: the remaining fields are too large, or too many values would be left out. */
function* truncateFields(
  fields: JsonObject,
  pointer: string,
  depth: number,
  cut: CutValue[],
): Steps<Kept | null> {
  const kept: [string, JsonValue][] = [];
  let bytes = 2;
  for (const [name, value] of Object.entries(fields)) {
    const field = yield* truncateValue(value, `${pointer}/${escaped(name)}`, depth + 1, cut);
    if (field !== null) {
      kept.push([name, field.value]);
      bytes += 3 * name.length + 4 + field.bytes;
    }
    if (bytes > MAX_VALUE_BYTES || cut.length > MAX_TRUNCATED) return null;
    yield;
  }
  return { value: Object.fromEntries(kept), bytes };
}

function headOf(value: JsonValue): string {
  return beginningOf(beginningOfJson(value, HEAD_CHARS), HEAD_CHARS);
}

/** The name as a JSON pointer writes it (RFC 6901). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
