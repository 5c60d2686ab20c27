// oxlint-disable-next-line import/no-unassigned-import -- Nest loads it, and DTOs are read without Nest, too
import 'reflect-metadata';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A class that stands for a named schema, of which @nestjs/swagger makes a component. */
export type SchemaClass = new () => object;

/**
 * The metadata keys of @nestjs/swagger. They are written here without the package, so that a host that has it finds
 * our operations in its document, and one that does not loads nothing (decision 0060).
 */
export const SWAGGER = {
  schema: 'swagger/apiSchema',
  models: 'swagger/apiExtraModels',
  tags: 'swagger/apiUseTags',
  operation: 'swagger/apiOperation',
  parameters: 'swagger/apiParameters',
  responses: 'swagger/apiResponse',
  security: 'swagger/apiSecurity',
  excluded: 'swagger/apiExcludeController',
} as const;

/** The prefix of all our components, because a host may have a `RunRecord` of its own. */
const PREFIX = 'Flowgate';

/** Makes a class stand for a schema. `others` are the schemas that it refers to. */
export function nameSchema(
  target: SchemaClass,
  name: string,
  schema: JsonSchema,
  others: readonly SchemaClass[] = [],
): void {
  Reflect.defineMetadata(SWAGGER.schema, [{ name: `${PREFIX}${name}`, ...schema }], target);
  Reflect.defineMetadata(SWAGGER.models, others, target);
}

/** A named schema of a response, which has no class of its own. */
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

/** An object whose fields are all required, except those that are named in `optional`. */
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

/** A value that may be missing, and what it means then. */
export function orNull(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, type: [schema['type'], 'null'], description };
}
