/**
 * Whether two values are the same once written as JSON: the order of keys does not count, a field that is undefined is
 * absent, and a number that JSON lacks is null.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const [a, b] = [asWritten(one), asWritten(other)];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) return isSameList(a, b);
  return isSameObject(a as Fields, b as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function asWritten(value: unknown): unknown {
  return value === undefined || (typeof value === 'number' && !Number.isFinite(value)) ? null : value;
}

function isSameList(one: object, other: object): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  return one.every((item, index) => isSameJson(item, other[index]));
}

function isSameObject(one: Fields, other: Fields): boolean {
  const [mine, theirs] = [writtenKeys(one), writtenKeys(other)];
  if (mine.length !== theirs.length) return false;
  return mine.every((key) => {
    const field = Object.hasOwn(other, key) ? other[key] : undefined;
    return field !== undefined && isSameJson(one[key], field);
  });
}

function writtenKeys(fields: Fields): readonly string[] {
  return Object.keys(fields).filter((key) => fields[key] !== undefined);
}
