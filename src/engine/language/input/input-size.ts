import type { JsonValue } from '../../core/json.js';

export interface InputSize {
  /** Values at every depth, and one more for each 16 characters of text and names. */
  readonly size: number;
  /** Lists and maps inside one another. */
  readonly depth: number;
  /** Values alone. */
  readonly values: number;
}

const CHARS_PER_VALUE = 16;

/** Null for a value that is larger than `limit`: looks at no more than that. */
export function inputSize(value: JsonValue, limit: number): InputSize | null {
  let size = 0;
  let values = 0;
  let depth = 0;
  let level: readonly JsonValue[] = [value];
  for (; level.length > 0; depth++) {
    const inside: JsonValue[] = [];
    for (const member of level) {
      values += 1;
      size += 1;
      if (typeof member === 'string') size += member.length / CHARS_PER_VALUE;
      else if (Array.isArray(member)) for (const item of member as readonly JsonValue[]) inside.push(item);
      else if (typeof member === 'object' && member !== null) {
        for (const [name, field] of Object.entries(member)) {
          size += name.length / CHARS_PER_VALUE;
          inside.push(field as JsonValue);
        }
      }
      if (size + inside.length > limit) return null;
    }
    level = inside;
  }
  return { size, values, depth };
}
