import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../core/json.js';
import { nearNames } from '../reader/near-names.js';
import type { JsonPointer } from '../reader/json-pointer.js';
import { readablePath } from '../reader/json-pointer.js';
import { schemaComplaint } from '../reader/validation/schema-message.js';
import { described } from '../reader/validation/value-in-words.js';
import { loadAjv } from './ajv.js';

/** What is wrong with a JSON Schema, and where in it. */
export interface SchemaProblem {
  readonly pointer: JsonPointer;
  /** A sentence without its full stop; the schema is called as it is at `root`. */
  readonly message: string;
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const OTHER_NAMES: Readonly<Record<string, string>> = {
  str: 'string',
  text: 'string',
  date: 'string',
  datetime: 'string',
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  list: 'array',
  map: 'object',
  dict: 'object',
};
/** For a longer schema only the first problem is reported: finding all can take quadratic time. */
const MAX_LENGTH_FOR_ALL = 8_192;

// Compiling the schema of schemas takes some 50 ms: once for the process, and only if a schema comes.
let first: Ajv2020 | undefined;
let all: Ajv2020 | undefined;

/** The problems of the schema as a schema; empty when it is one. `root`: its pointer in the document. */
export function schemaProblems(schema: JsonObject, root: JsonPointer): readonly SchemaProblem[] {
  const lenient = { strict: false, logger: false, verbose: true } as const;
  first ??= new (loadAjv().Ajv2020)(lenient);
  if (first.validateSchema(schema) === true) return [];
  let { errors } = first;
  if (JSON.stringify(schema).length <= MAX_LENGTH_FOR_ALL) {
    all ??= new (loadAjv().Ajv2020)({ ...lenient, allErrors: true });
    void all.validateSchema(schema);
    ({ errors } = all);
  }
  const problems = new Map<JsonPointer, SchemaProblem>();
  for (const error of errors ?? []) {
    const problem = problemOf(error, root);
    if (problem !== null && !problems.has(problem.pointer)) problems.set(problem.pointer, problem);
  }
  return [...problems.values()];
}

function problemOf(error: ErrorObject, root: JsonPointer): SchemaProblem | null {
  const pointer = error.instancePath;
  const path = readablePath(`${root}${pointer}`);
  if (pointer.endsWith('/type') && ['enum', 'type'].includes(error.keyword) && !isPropertyName(pointer)) {
    return { pointer, message: `${path} ${typeProblem(error.data)}` };
  }
  if (error.keyword === 'type' && typeof error.data === 'string' && TYPES.includes(error.data)) {
    return {
      pointer,
      message: `${path} must be a schema, not ${described(error.data)}: write { type: ${error.data} }`,
    };
  }
  // This is reported for the whole list of types.
  if (/\/type\/[0-9]+$/.test(pointer)) return null;
  // The error of a combination repeats the errors of its parts.
  if (['anyOf', 'oneOf', 'allOf', '$ref', '$dynamicRef'].includes(error.keyword)) return null;
  const complaint = schemaComplaint(error);
  return complaint === null
    ? null
    : { pointer: complaint.pointer, message: complaint.message(`${root}${complaint.pointer}`) };
}

/** Whether it is a property that is called `type`, not the type of something. */
function isPropertyName(pointer: JsonPointer): boolean {
  return /\/(?:properties|patternProperties|\$defs|dependentSchemas)\/type$/.test(pointer);
}

function typeProblem(value: unknown): string {
  const list = TYPES.map((type) => `\`${type}\``).join(', ');
  const wrong = Array.isArray(value)
    ? (value as unknown[]).find((one) => !TYPES.includes(String(one)))
    : value;
  const word = typeof wrong === 'string' ? wrong.toLowerCase() : '';
  const near = Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : nearNames(word, TYPES)[0];
  const advice = near === undefined ? '' : `: did you mean \`${near}\`?`;
  return `must be one of ${list}, or a list of them, not ${described(wrong ?? value)}${advice}`;
}
