import type { JsonObject, JsonValue } from '../../../../clients/typescript/src/types/json.js';

/** A field of a form that was made of a JSON Schema. What a field has no better kind for is written as JSON. */
export interface FormField {
  /** Into the input: a JSON pointer. */
  readonly pointer: string;
  readonly label: string;
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'json';
  readonly description: string | null;
  readonly isRequired: boolean;
  /** Of a choice: its values, in the order of the schema. */
  readonly choices: readonly JsonValue[];
  /** What the field holds at first. */
  readonly initial: string;
  /** In words; null: anything of its kind. */
  readonly bounds: string | null;
}

export interface FormGroup {
  /** Empty: the fields of the input itself. */
  readonly label: string;
  readonly fields: readonly FormField[];
}

export type FormValue =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly faults: ReadonlyMap<string, string> };

/** Objects within objects have groups of their own that deep; below, they are written as JSON. */
const MAX_DEPTH = 3;
const MAX_FIELDS = 100;

/**
 * The form of a workflow's `spec.input`; null: there is nothing that a form could ask for, so that the input is written as JSON.
 */
export function formOf(schema: JsonObject | null): readonly FormGroup[] | null {
  if (schema === null) return null;
  const groups: FormGroup[] = [];
  addGroup(groups, { schema, pointer: '', label: '', isRequired: true, depth: 0 });
  const fields = groups.reduce((sum, group) => sum + group.fields.length, 0);
  return fields === 0 || fields > MAX_FIELDS ? null : groups;
}

/**
 * What the fields hold, by their pointers, as an input: a field that is left empty and not required is left out, and of a draft, which
 * is not complete yet, also one that is required.
 */
export function valueOf(
  form: readonly FormGroup[],
  texts: ReadonlyMap<string, string>,
  { isDraft = false }: { readonly isDraft?: boolean } = {},
): FormValue {
  const faults = new Map<string, string>();
  const value: Record<string, JsonValue> = {};
  for (const field of form.flatMap(({ fields }) => fields)) {
    const given = texts.get(field.pointer) ?? field.initial;
    if (given.trim() === '' && field.kind !== 'text') {
      if (field.isRequired && !isDraft) faults.set(field.pointer, `${field.label} is required: fill it in`);
      continue;
    }
    if (given === '' && !field.isRequired) continue;
    const read = valueIn(field, given);
    if (typeof read === 'string') faults.set(field.pointer, read);
    else put(value, field.pointer, read.value);
  }
  return faults.size > 0 ? { ok: false, faults } : { ok: true, value };
}

/**
 * What the service found wrong with an input, by the pointers of the fields that it belongs to; under the empty text what belongs
 * to none of them.
 */
export function faultsByField(
  form: readonly FormGroup[],
  details: readonly { readonly path: string; readonly message: string }[],
): ReadonlyMap<string, string> {
  const pointers = form.flatMap(({ fields }) => fields.map(({ pointer }) => pointer));
  const faults = new Map<string, string>();
  for (const { path, message } of details) {
    const at = pointers.find((pointer) => path === pointer || path.startsWith(`${pointer}/`)) ?? '';
    const before = faults.get(at);
    faults.set(at, before === undefined ? message : `${before}; ${message}`);
  }
  return faults;
}

interface Place {
  readonly schema: JsonObject;
  readonly pointer: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly depth: number;
}

function addGroup(groups: FormGroup[], { schema, pointer, label, isRequired, depth }: Place): void {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields: FormField[] = [];
  groups.push({ label, fields });
  for (const [name, given] of Object.entries(objectOf(schema['properties']) ?? {})) {
    const property = objectOf(given) ?? {};
    const place: Place = {
      schema: property,
      pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      label: label === '' ? name : `${label}.${name}`,
      isRequired: isRequired && required.includes(name),
      depth: depth + 1,
    };
    if (isGroup(property) && place.depth < MAX_DEPTH) addGroup(groups, place);
    else fields.push(fieldAt(place));
  }
}

/** An object of which all keys are known can be asked for field by field. */
function isGroup(schema: JsonObject): boolean {
  const properties = objectOf(schema['properties']);
  return schema['type'] === 'object' && properties !== null && Object.keys(properties).length > 0;
}

function fieldAt({ schema, pointer, label, isRequired }: Place): FormField {
  const choices = Array.isArray(schema['enum']) ? (schema['enum'] as readonly JsonValue[]) : [];
  const kind = kindOf(schema, choices);
  return {
    pointer,
    label,
    kind,
    description: typeof schema['description'] === 'string' ? schema['description'] : null,
    isRequired,
    choices,
    initial: initialText(kind, schema['default']),
    bounds: boundsOf(schema),
  };
}

function kindOf({ type }: JsonObject, choices: readonly JsonValue[]): FormField['kind'] {
  if (choices.length > 0) return 'choice';
  switch (type) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
    case 'boolean':
      return type;
    default:
      return 'json';
  }
}

function initialText(kind: FormField['kind'], value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return kind === 'text' && typeof value === 'string' ? value : JSON.stringify(value);
}

function boundsOf(schema: JsonObject): string | null {
  const { minimum, maximum, minLength, maxLength, pattern, format } = schema;
  const parts = [
    typeof minimum === 'number' ? `at least ${minimum}` : null,
    typeof maximum === 'number' ? `at most ${maximum}` : null,
    typeof minLength === 'number' ? `at least ${minLength} characters` : null,
    typeof maxLength === 'number' ? `at most ${maxLength} characters` : null,
    typeof format === 'string' ? format : null,
    typeof pattern === 'string' ? `as ${pattern}` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}

/** The value, or what is wrong with the text. */
function valueIn({ kind, label, choices }: FormField, text: string): { readonly value: JsonValue } | string {
  if (kind === 'text') return { value: text };
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    return kind === 'json' ? `${label} is no JSON: ${messageOf(error)}` : notOf(kind, label);
  }
  if (kind === 'choice' && !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value)))
    return `${label} must be one of its choices: choose again`;
  if (kind === 'boolean' && typeof value !== 'boolean') return notOf(kind, label);
  // As JSON, what is too large for a number is null.
  if ((kind === 'number' || kind === 'integer') && !Number.isFinite(value)) return notOf(kind, label);
  if (kind === 'integer' && !Number.isInteger(value)) return notOf(kind, label);
  return { value };
}

const KINDS_IN_WORDS = {
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  choice: 'one of its choices',
} as const;

function notOf(kind: keyof typeof KINDS_IN_WORDS, label: string): string {
  return `${label} must be ${KINDS_IN_WORDS[kind]}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function put(value: Record<string, JsonValue>, pointer: string, field: JsonValue): void {
  const tokens = pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at = value;
  for (const token of tokens.slice(0, -1)) {
    if (!Object.hasOwn(at, token)) define(at, token, {});
    at = at[token] as Record<string, JsonValue>;
  }
  define(at, tokens.at(-1) ?? '', field);
}

/** Also a field named `__proto__` is a field. */
function define(at: Record<string, JsonValue>, name: string, value: JsonValue): void {
  Object.defineProperty(at, name, { value, enumerable: true, configurable: true, writable: true });
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
