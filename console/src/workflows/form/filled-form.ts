import type { JsonObject, JsonValue } from '../../../../clients/typescript/src/types/json.js';
import { valueOf, type FormField, type FormGroup } from './schema-form.js';

type FilledForm =
  | { readonly ok: true; readonly texts: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly fault: string };

/**
 * What the fields hold for an input, by their pointers, or what of it no field can hold, such as a key that the form does not know. A
 * field that is required may be empty: the form asks for it.
 */
export function fillForm(form: readonly FormGroup[], input: JsonObject): FilledForm {
  const texts = new Map<string, string>();
  for (const field of form.flatMap(({ fields }) => fields)) {
    const value = valueAt(input, field.pointer);
    if (field.kind === 'text' && value !== undefined && !isFieldText(value))
      return {
        ok: false,
        fault: `${field.label} must be a text without carriage returns to stand in its field`,
      };
    // Left out, it is not what the field holds at first.
    texts.set(field.pointer, value === undefined ? '' : textIn(field, value));
  }
  const read = valueOf(form, texts, { isDraft: true });
  if (!read.ok) return { ok: false, fault: [...read.faults.values()].join('; ') };
  const fault = lossIn(input, read.value, '');
  return fault === null ? { ok: true, texts } : { ok: false, fault };
}

/** Browsers make each line end of a field a line feed. */
function isFieldText(value: JsonValue): value is string {
  return typeof value === 'string' && !value.includes('\r');
}

function textIn({ kind }: FormField, value: JsonValue): string {
  if (kind === 'text' && typeof value === 'string') return value;
  // A choice is found by its text, which has no layout.
  return JSON.stringify(value, null, kind === 'json' ? 2 : 0);
}

function valueAt(input: JsonObject, pointer: string): JsonValue | undefined {
  let at: JsonValue | undefined = input;
  for (const token of pointer.slice(1).split('/')) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/** The first part of what was given that the form did not give back, in words; null: there is none. */
function lossIn(given: JsonValue, read: JsonValue | undefined, label: string): string | null {
  if (!isObject(given) || Object.keys(given).length === 0) {
    if (read !== undefined && (isObject(given) || JSON.stringify(given) === JSON.stringify(read)))
      return null;
    const isEmpty = given === '' || isObject(given);
    return `The form ${isEmpty ? 'leaves out what is empty, such as' : 'has no field for'} ${label}: take it out, or start with it as JSON`;
  }
  for (const [name, part] of Object.entries(given)) {
    const other = isObject(read) && Object.hasOwn(read, name) ? read[name] : undefined;
    const loss = lossIn(part, other, label === '' ? name : `${label}.${name}`);
    if (loss !== null) return loss;
  }
  return null;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
