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
  if (typeof value !== 'object' || value === null) return chars - CHARS_OF_A_SCALAR;
  let left = chars - 2;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = charsLeft(value[i], left - 1);
    return left;
  }
  if (value instanceof JsonText) return charsLeft(value.value, left);
  // Of objects that nobody has looked into yet, as those of a new record, `for … in` takes ten times as long.
  const keys = Object.keys(value);
  for (let i = 0; i < keys.length && left >= 0; i++) {
    const key = keys[i] as string;
    left = charsLeft((value as Readonly<Record<string, unknown>>)[key], left - key.length - 4);
  }
  return left;
}
