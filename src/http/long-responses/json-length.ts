import { JsonText } from './json-text.js';

const CHARS_OF_A_SCALAR = 8;

/**
 * Whether a value takes about more than `chars` characters as JSON. It looks at no more of the value than it needs,
 * and not into its strings, so the cost is bounded by `chars`, however large the value is.
 */
export function isLongerThan(value: unknown, chars: number): boolean {
  return charsLeft(value, chars) < 0;
}

/** The part of `chars` that is left after the value; below 0 as soon as the value is too long. */
function charsLeft(value: unknown, chars: number): number {
  if (typeof value === 'string') return chars - value.length - 2;
  if (typeof value !== 'object' || value === null) return chars - CHARS_OF_A_SCALAR;
  let left = chars - 2;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = charsLeft(value[i], left - 1);
    return left;
  }
  if (value instanceof JsonText) return charsLeft(value.value, left);
  // On objects that have not been enumerated yet, as in a new record, `for … in` takes ten times as long.
  const keys = Object.keys(value);
  for (let i = 0; i < keys.length && left >= 0; i++) {
    const key = keys[i] as string;
    left = charsLeft((value as Readonly<Record<string, unknown>>)[key], left - key.length - 4);
  }
  return left;
}
