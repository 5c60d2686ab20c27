import type { ErrorObject } from 'ajv';
import { type JsonPointer, childPointer, readablePath } from '../json-pointer.js';
import { adviceForField } from './foreign-words.js';
import { nearNames } from '../near-names.js';
import { typeRequirement } from './type-message.js';
import { described, shortened } from './value-in-words.js';

/** A violation of the schema, in words. */
interface SchemaComplaint {
  /** The pointer relative to the checked piece, as the error's was. */
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
    return unknownField(error, String(params.additionalProperty));
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

function unknownField(error: ErrorObject, field: string): SchemaComplaint {
  const parent = error.instancePath;
  const known = fieldsOf(error.parentSchema);
  const [near] = nearNames(field, known);
  const list = known.map((name) => `\`${name}\``).join(', ');
  const missing = known.filter((name) => !Object.hasOwn(error.data as object, name));
  const advice =
    near === undefined
      ? (adviceForField(field, known, missing, error.data as Readonly<Record<string, unknown>>) ??
        `it may have ${list}`)
      : `did you mean \`${near}\`?`;
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
      return typeRequirement(params.type, error);
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

function enumRequirement(allowed: unknown, value: unknown): string {
  const names = (Array.isArray(allowed) ? allowed : [allowed]).map(String);
  const list = names.map((name) => `\`${name}\``).join(', ');
  const [near] = typeof value === 'string' ? nearNames(value, names) : [];
  return `must be one of ${list}, not ${described(value)}${near === undefined ? '' : `: did you mean \`${near}\`?`}`;
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
