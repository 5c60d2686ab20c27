/**
 * JSON text of what a caller gives. Throws a `TypeError` for what JSON would lose without a word (NaN, functions) or
 * cannot hold (bigint, circles).
 */
export function jsonText(value: unknown, name: string, indent = 0): string {
  try {
    return JSON.stringify(value, refuseLosses, indent);
  } catch (error) {
    const reason = error instanceof Loss ? error.message : 'it refers to itself, or holds what is no data';
    throw new TypeError(`${name} cannot be sent as JSON: ${reason}`, { cause: error });
  }
}

class Loss extends Error {}

function refuseLosses(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Loss(`${key} is ${value}`);
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
    throw new Loss(`${key} is a ${typeof value}`);
  }
  return value;
}
