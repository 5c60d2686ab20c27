import type { JsonObject, JsonValue } from './json.js';

/** The size of a number, a boolean or null. */
const CHARS_OF_A_SCALAR = 8;
/** Quotes, brackets, braces. */
const CHARS_AROUND = 2;
/** Quotes, a colon, a comma. */
const CHARS_AROUND_A_NAME = 4;

/** About how many characters a JSON value takes when it is written. Cheap: texts are not looked into. */
export function approximateChars(value: unknown): number {
  if (typeof value === 'string') return value.length + CHARS_AROUND;
  if (value === null || typeof value !== 'object') return CHARS_OF_A_SCALAR;
  let chars = CHARS_AROUND;
  if (Array.isArray(value)) {
    for (const item of value)
      chars += 1 + (typeof item === 'number' ? CHARS_OF_A_SCALAR : approximateChars(item));
    return chars;
  }
  // A `for in` takes three times as long on objects of which each has keys of its own.
  for (const key of Object.keys(value)) {
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    // `undefined` is not written, so it counts nothing: a loaded value must have the size that it had before.
    if (inner !== undefined) chars += key.length + CHARS_AROUND_A_NAME + approximateChars(inner);
  }
  return chars;
}

/**
 * What an object with these fields takes: all of their names, and the values of the scalar ones, which hold no text, list or
 * object.
 */
export function charsOfFields(fields: {
  readonly scalars: readonly string[];
  readonly others: readonly string[];
}): number {
  const chars = (sum: number, name: string): number => sum + name.length + CHARS_AROUND_A_NAME;
  const scalars = fields.scalars.reduce(chars, fields.scalars.length * CHARS_OF_A_SCALAR);
  return fields.others.reduce(chars, CHARS_AROUND + scalars);
}

/** What an optional field takes. */
export function charsOfField(name: string, value: JsonValue | undefined): number {
  return value === undefined ? 0 : name.length + CHARS_AROUND_A_NAME + approximateChars(value);
}

/** Whether the value certainly takes at most `chars` characters of JSON. Where this is false, only writing it tells. */
export function isSurelyWithin(value: JsonValue, chars: number): boolean {
  return mostChars(value, chars) <= chars;
}

const MOST_CHARS_OF_A_NUMBER = 25;
/** The length of `\u0000`. */
const MOST_CHARS_OF_A_CHARACTER = 6;

/** An upper bound of the written length; counting stops once it exceeds `enough`. */
function mostChars(value: JsonValue, enough: number): number {
  if (typeof value === 'string') return 2 + value.length * MOST_CHARS_OF_A_CHARACTER;
  if (value === null || typeof value !== 'object') return MOST_CHARS_OF_A_NUMBER;
  let most = 2;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && most <= enough; i++) {
      most += 1 + mostChars(value[i] as JsonValue, enough - most);
    }
    return most;
  }
  for (const key of Object.keys(value)) {
    if (most > enough) break;
    const inner = (value as JsonObject)[key] as JsonValue;
    most += 4 + key.length * MOST_CHARS_OF_A_CHARACTER + mostChars(inner, enough - most);
  }
  return most;
}
