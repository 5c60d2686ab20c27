import { JsonText } from './json-text.js';

const CHARS_OF_A_SCALAR = 8;

/**
 * Whether a value takes about more than `chars` characters as JSON. Looks at no more of it than it needs to know, and
 * not into its texts: of any value, however large, it costs what `chars` of a value cost.
 */
export function isLongerThan(value: unknown, chars: number): boolean {
  return charsLeft(value, chars) < 0;
}

/** What is left of `chars` after the value; below 0 as soon as it is too long. */
function charsLeft(value: unknown, chars: number): number {
  if (typeof value === 'string') return chars - value.length - 2;
  if (value === null || typeof value !== 'object') return chars - CHARS_OF_A_SCALAR;
  if (value instanceof JsonText) return charsLeft(value.value, chars - 2);
  let left = chars - 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = charsLeft(item, left - 1);
      if (left < 0) return left;
    }
    return left;
  }
  for (const key in value) {
    left = charsLeft((value as Readonly<Record<string, unknown>>)[key], left - key.length - 4);
    if (left < 0) return left;
  }
  return left;
}
