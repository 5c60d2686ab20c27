import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Steps } from '../../core/steps.js';
import { beginningOfJson } from '../../json/beginning-of-json.js';
import type { CutValue } from '../../public-events.js';
import { bytesOfJson } from './json-bytes.js';

/** What takes more as JSON is left out. */
const MAX_VALUE_BYTES = 4_096;
const HEAD_CHARS = 256;
/** Objects so deep in one another are looked into, and so many values of one are named one by one. */
const MAX_DEPTH = 4;
const MAX_CUTS = 16;

export interface CutData {
  readonly data: JsonObject;
  /** What was left out, by its place; null: nothing. */
  readonly cut: readonly CutValue[] | null;
  /** Of the JSON of both, and a little more. */
  readonly bytes: number;
}

interface Kept {
  readonly value: JsonValue;
  readonly bytes: number;
}

/**
 * The data of an event without the values above 4 KiB: of an object as few of its fields as it takes, of a list all of
 * it, for what is behind must keep its place.
 */
export function* cutLarge(data: JsonObject): Steps<CutData> {
  const cut: CutValue[] = [];
  const kept: [string, JsonValue][] = [];
  let bytes = 0;
  for (const [name, value] of Object.entries(data)) {
    const field = yield* cutValue(value, `/${escaped(name)}`, 1, cut);
    if (field === null) continue;
    kept.push([name, field.value]);
    bytes += name.length + 4 + field.bytes;
  }
  if (cut.length === 0) return { data, cut: null, bytes };
  const bytesOfCut = cut.reduce((sum, { pointer, head }) => sum + 3 * (pointer.length + head.length) + 40, 0);
  return { data: Object.fromEntries(kept), cut, bytes: bytes + bytesOfCut };
}

/** Null: it was left out, and is in `cut`. */
function* cutValue(value: JsonValue, pointer: string, depth: number, cut: CutValue[]): Steps<Kept | null> {
  const bytes = yield* bytesOfJson(value);
  if (bytes <= MAX_VALUE_BYTES) return { value, bytes };
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < MAX_DEPTH) {
    const within: CutValue[] = [];
    const kept = yield* cutFields(value as JsonObject, pointer, depth, within);
    if (kept !== null) {
      cut.push(...within);
      return kept;
    }
  }
  cut.push({ pointer, bytes, head: headOf(value) });
  return null;
}

/** Null: what would be left is too large, or what would be left out too much. */
function* cutFields(fields: JsonObject, pointer: string, depth: number, cut: CutValue[]): Steps<Kept | null> {
  const kept: [string, JsonValue][] = [];
  let bytes = 2;
  for (const [name, value] of Object.entries(fields)) {
    const field = yield* cutValue(value, `${pointer}/${escaped(name)}`, depth + 1, cut);
    if (field !== null) {
      kept.push([name, field.value]);
      bytes += 3 * name.length + 4 + field.bytes;
    }
    if (bytes > MAX_VALUE_BYTES || cut.length > MAX_CUTS) return null;
    yield;
  }
  return { value: Object.fromEntries(kept), bytes };
}

function headOf(value: JsonValue): string {
  const head = beginningOfJson(value, HEAD_CHARS).slice(0, HEAD_CHARS);
  // Half of a pair is no character.
  return head.replace(/[\uD800-\uDBFF]$/, '');
}

/** As a pointer has it (RFC 6901). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
