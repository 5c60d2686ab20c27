// oxlint-disable-next-line import/no-unassigned-import -- Nest loads it, and DTOs are read without Nest, too
import 'reflect-metadata';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A class that stands for a named schema: what @nestjs/swagger makes a component of. */
export type SchemaClass = new () => object;

/**
 * Where @nestjs/swagger keeps what its decorators say. They are written here without it, so that a host that has it finds
 * our operations in its document, and one that has not loads nothing (decision 0060).
 */
export const SWAGGER = {
  schema: 'swagger/apiSchema',
  models: 'swagger/apiExtraModels',
  tags: 'swagger/apiUseTags',
  operation: 'swagger/apiOperation',
  parameters: 'swagger/apiParameters',
  responses: 'swagger/apiResponse',
  excluded: 'swagger/apiExcludeController',
} as const;

/** Every component of ours begins so: a host has a `RunRecord` of its own perhaps. */
const PREFIX = 'Flowgate';

/** Makes a class stand for a schema. `others` are those that it refers to. */
export function nameSchema(
  target: SchemaClass,
  name: string,
  schema: JsonSchema,
  others: readonly SchemaClass[] = [],
): void {
  Reflect.defineMetadata(SWAGGER.schema, [{ name: `${PREFIX}${name}`, ...schema }], target);
  Reflect.defineMetadata(SWAGGER.models, others, target);
}

/** A named schema of something that is answered, and so has no class of its own. */
export function namedSchema(
  name: string,
  schema: JsonSchema,
  others: readonly SchemaClass[] = [],
): SchemaClass {
  // oxlint-disable-next-line typescript/no-extraneous-class -- it only bears the name
  const target = class {};
  nameSchema(target, name, schema, others);
  return target;
}

export function refTo(target: SchemaClass): JsonSchema {
  const [{ name }] = Reflect.getMetadata(SWAGGER.schema, target) as [{ readonly name: string }];
  return { $ref: `#/components/schemas/${name}` };
}

/** An object whose fields are all there, but those that are named in `optional`. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

export const TEXT: JsonSchema = { type: 'string' };
export const NUMBER: JsonSchema = { type: 'number' };
export const INSTANT: JsonSchema = { type: 'number', description: 'Epoch milliseconds' };
export const TEXTS: JsonSchema = { type: 'array', items: TEXT };
export const ANY_OBJECT: JsonSchema = { type: 'object', additionalProperties: true };
