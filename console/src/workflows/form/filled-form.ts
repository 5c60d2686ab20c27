import type { JsonObject, JsonValue } from '../../../../clients/typescript/src/types/json.js';
import { valueOf, type FormGroup } from './schema-form.js';

/**
 * What the fields hold for an input, by their pointers; null: it has something that no field can hold, such as a key that the form does
 * not know.
 */
export function textsOf(form: readonly FormGroup[], input: JsonObject): ReadonlyMap<string, string> | null {
  const texts = new Map<string, string>();
  for (const { pointer, kind } of form.flatMap(({ fields }) => fields)) {
    const value = valueAt(input, pointer);
    // Left out, it is not what the field holds at first.
    if (value === undefined) texts.set(pointer, '');
    else
      texts.set(
        pointer,
        kind === 'text' && typeof value === 'string' ? value : JSON.stringify(value, null, 2),
      );
  }
  const read = valueOf(form, texts);
  return read.ok && canonical(read.value) === canonical(input) ? texts : null;
}

function valueAt(input: JsonObject, pointer: string): JsonValue | undefined {
  let at: JsonValue | undefined = input;
  for (const token of pointer.slice(1).split('/')) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, name))
      return undefined;
    at = (at as JsonObject)[name];
  }
  return at;
}

/** The same text for the same value, in whichever order its keys are. */
function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_key, part: JsonValue) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))
      : part,
  );
}
