import type { ErrorObject } from 'ajv';
import { type JsonPointer, childPointer, readablePath } from './json-pointer.js';
import { nearNames } from './near-names.js';

/** What the schema has against a value, in words. */
interface SchemaComplaint {
  /** Relative to the checked piece, as the error was. */
  readonly pointer: JsonPointer;
  /** True when the fault is the name of the field, not its value. */
  readonly aboutKey: boolean;
  /** The message, given the pointer of the whole document. */
  message(pointer: JsonPointer): string;
}

/** Keywords that only pass on what another error says better. */
const SILENT_KEYWORDS: ReadonlySet<string> = new Set(['if', 'propertyNames']);

/** Null for an error that only repeats another one. */
export function schemaComplaint(error: ErrorObject): SchemaComplaint | null {
  if (SILENT_KEYWORDS.has(error.keyword)) return null;
  const params = error.params as Readonly<Record<string, unknown>>;
  if (error.keyword === 'required') {
    const comment = schemaComment(error);
    if (comment !== null) return aboutValue(error.instancePath, comment);
    return aboutValue(childPointer(error.instancePath, String(params.missingProperty)), 'is required');
  }
  if (error.keyword === 'additionalProperties') {
    return unknownField(error.instancePath, String(params.additionalProperty), fieldsOf(error.parentSchema));
  }
  if (error.propertyName !== undefined) {
    const pointer = childPointer(error.instancePath, error.propertyName);
    return { ...aboutValue(pointer, `has a name that ${requirement(error, params)}`), aboutKey: true };
  }
  return aboutValue(error.instancePath, requirement(error, params));
}

function aboutValue(pointer: JsonPointer, text: string): SchemaComplaint {
  return { pointer, aboutKey: false, message: (full) => `${readablePath(full)} ${text}` };
}

function unknownField(parent: JsonPointer, field: string, known: readonly string[]): SchemaComplaint {
  const [near] = nearNames(field, known);
  const list = known.map((name) => `\`${name}\``).join(', ');
  const advice = near === undefined ? `it may have ${list}` : `did you mean \`${near}\`?`;
  return {
    pointer: childPointer(parent, field),
    aboutKey: true,
    message: (full) => {
      const owner = readablePath(full.slice(0, full.lastIndexOf('/')));
      return `${owner} has an unknown field \`${shortened(field)}\`: ${advice}`;
    },
  };
}

function requirement(error: ErrorObject, params: Readonly<Record<string, unknown>>): string {
  const limit = String(params.limit);
  switch (error.keyword) {
    case 'type':
      return typeRequirement(params.type, error.data);
    case 'enum':
      return enumRequirement(params.allowedValues, error.data);
    case 'const':
      return `must be \`${String(params.allowedValue)}\`, not ${described(error.data)}`;
    case 'pattern':
    case 'not':
      return schemaComment(error) ?? 'is not allowed here';
    case 'minimum':
      return `must be at least ${limit}, not ${described(error.data)}`;
    case 'maximum':
      return `must be at most ${limit}, not ${described(error.data)}`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
    case 'minProperties':
      return params.limit === 1 ? 'must have at least one entry' : `must have at least ${limit} entries`;
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${limit} entries`;
    default:
      return error.message ?? 'is not valid';
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'a map',
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  null: 'empty',
};

function typeRequirement(wanted: unknown, value: unknown): string {
  const types = (Array.isArray(wanted) ? wanted : [wanted]).map(String);
  const names = types.map((type) => TYPE_NAMES[type] ?? type).join(' or ');
  const isQuotable = typeof value === 'number' || typeof value === 'boolean';
  const advice = isQuotable && wanted === 'string' ? `: write it in quotes, "${String(value)}"` : '';
  return `must be ${names}, not ${described(value)}${advice}`;
}

function enumRequirement(allowed: unknown, value: unknown): string {
  const names = (Array.isArray(allowed) ? allowed : [allowed]).map(String);
  const list = names.map((name) => `\`${name}\``).join(', ');
  const [near] = typeof value === 'string' ? nearNames(value, names) : [];
  return `must be one of ${list}, not ${described(value)}${near === undefined ? '' : `: did you mean \`${near}\`?`}`;
}

function described(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string' ? `\`${shortened(value)}\`` : String(value);
}

/** Bounds what of an author's text goes into a message, and keeps it on one line. */
export function shortened(text: string): string {
  const oneLine = text.slice(0, 60).replaceAll(/\s+/g, ' ');
  return text.length > 60 ? `${oneLine}…` : oneLine;
}

/** The schema's own words: where a keyword needs them, its schema has a `$comment`. */
function schemaComment(error: ErrorObject): string | null {
  const comment: unknown = error.parentSchema?.$comment;
  return typeof comment === 'string' ? comment : null;
}

function fieldsOf(schema: ErrorObject['parentSchema']): readonly string[] {
  const properties: unknown = schema?.properties;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}
