const CHARS_OF_A_SCALAR = 8;

/** About how many characters a JSON value takes when it is written. Cheap: texts are not looked into. */
export function approximateChars(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (value === null || typeof value !== 'object') return CHARS_OF_A_SCALAR;
  let chars = 2;
  if (Array.isArray(value)) {
    for (const item of value) chars += approximateChars(item) + 1;
    return chars;
  }
  // A `for in` takes three times as long on objects of which each has keys of its own.
  for (const key of Object.keys(value)) {
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    // It is not written, so it counts nothing: what was loaded must have the size that it had before.
    if (inner !== undefined) chars += key.length + 4 + approximateChars(inner);
  }
  return chars;
}
