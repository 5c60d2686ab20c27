import { fieldsOf, type ShapeField } from '../../openapi/body-schema.js';
import type { JsonSchema, SchemaClass } from '../../openapi/schema-class.js';

/** The JSON Schema of the arguments of a tool. */
export interface ToolInput {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

/** What a tool says of a field that is an object. */
interface ObjectWords {
  readonly description: string;
  /** A sentence about each field in it that the tool names. Absent: it names none. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The schema of its values, where the DTO leaves them to the engine. */
  readonly values?: JsonSchema;
}

/** A sentence about each field that a tool names, in the order in which they are listed. */
export type ArgumentWords<Shape> = Readonly<Partial<Record<keyof Shape & string, string | ObjectWords>>>;

/**
 * What a tool says of a field is its type and its values. Longest texts and least numbers are left to the refusal: the
 * interface fixes the bytes of its four tools, which have none of them.
 */
const SAID = ['type', 'enum'];
/** Nested objects are ours. */
const SAID_OF_NESTED = [...SAID, 'minimum'];

/** The schemas of arguments that are fields of a request: the DTO says what they are, the words what they are for. */
export function argumentsOf<Shape extends object>(
  shape: new () => Shape,
  words: ArgumentWords<Shape>,
): Readonly<Record<string, object>> {
  return described(shape, words, SAID);
}

/** The input of a tool: what its address takes, which is required, and fields of the request. */
export function inputOf<Shape extends object>(
  address: Readonly<Record<string, object>>,
  shape: new () => Shape,
  words: ArgumentWords<Shape>,
): ToolInput {
  const required = fieldsOf(shape).filter(({ isRequired }) => isRequired);
  return {
    type: 'object',
    properties: { ...address, ...argumentsOf(shape, words) },
    required: [...Object.keys(address), ...required.map(({ name }) => name)],
  };
}

/** `words`: `ArgumentWords` of the shape. */
function described(
  shape: SchemaClass,
  words: object,
  said: readonly string[],
): Readonly<Record<string, object>> {
  const fields = new Map(fieldsOf(shape).map((field) => [field.name, field]));
  const named = Object.entries(words) as readonly (readonly [string, string | ObjectWords])[];
  const schemas = named.map(([name, about]) => {
    const field = fields.get(name);
    if (field === undefined) throw new Error(`${shape.name} has no field ${name}: name one that it has`);
    return [name, argumentOf(field, about, said)] as const;
  });
  return Object.fromEntries(schemas);
}

function argumentOf(
  { schema, nested }: ShapeField,
  about: string | ObjectWords,
  said: readonly string[],
): object {
  const { description, fields, values }: ObjectWords =
    typeof about === 'string' ? { description: about } : about;
  if (nested?.holds === 'one' && fields !== undefined) {
    return { type: 'object', description, properties: described(nested.shape, fields, SAID_OF_NESTED) };
  }
  const kept = said.flatMap((keyword) => (keyword in schema ? [[keyword, schema[keyword]]] : []));
  return {
    ...Object.fromEntries(kept),
    ...(values === undefined ? {} : { additionalProperties: values }),
    description,
  };
}
