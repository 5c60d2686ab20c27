import { getMetadataStorage, ValidationTypes } from '../http/validation/class-validator.js';
import { nestedShapeOf, type NestedShape } from '../http/validation/nested-shape.js';
import { nameSchema, refTo, type JsonSchema, type SchemaClass } from './schema-class.js';

/** The JSON Schema of each rule of class-validator; other rules add nothing. */
const WORDS: Readonly<Record<string, (...given: readonly never[]) => JsonSchema>> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isObject: () => ({ type: 'object', additionalProperties: true }),
  isArray: () => ({ type: 'array' }),
  arrayMinSize: (least: number) => ({ minItems: least }),
  arrayMaxSize: (most: number) => ({ maxItems: most }),
  isIn: (values: readonly unknown[]) => ({ type: typeof values[0], enum: values }),
  min: (least: number) => ({ minimum: least }),
  max: (most: number) => ({ maximum: most }),
  isLength: (least: number, most: number) => ({ type: 'string', minLength: least, maxLength: most }),
  maxLength: (most: number) => ({ maxLength: most }),
  matches: (pattern: RegExp) => ({ type: 'string', pattern: pattern.source }),
};

/** One field of a request, as its DTO declares it. */
export interface ShapeField {
  readonly name: string;
  /** Without `null`, which an optional field may also be. */
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** The class of the objects that it holds; null: it holds none of a class. */
  readonly nested: NestedShape | null;
}

/**
 * The fields of a DTO, made of the rules that they declare to class-validator, and of the classes that
 * class-transformer's `Type` nests: what is documented, over HTTP and of tools, follows from what is checked. A field of a
 * nested class is such an object if it is declared to be an object, a list of such if it is declared to be one, otherwise
 * an object of such, by name.
 */
export function fieldsOf(shape: SchemaClass): readonly ShapeField[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))].map((name) => {
    const ofField = rules.filter(({ propertyName }) => propertyName === name);
    const words = ofField.map(({ name: rule = '', constraints = [] }) =>
      WORDS[rule]?.(...(constraints as never[])),
    );
    const nested = nestedShapeOf(shape, name);
    const ofRules = Object.assign({}, ...words) as JsonSchema;
    const schema = nested === null ? ofRules : schemaOf(nested, ofRules);
    const isRequired = !ofField.some(({ type }) =>
      [ValidationTypes.CONDITIONAL_VALIDATION, ValidationTypes.WHITELIST].includes(type),
    );
    return { name, schema, isRequired, nested };
  });
}

/**
 * Gives a DTO its schema of that name, with `about` each field. Optional fields may be null, as everywhere (wire contract,
 * "leniency").
 */
export function BodySchema(name: string, about: Readonly<Record<string, string>>): ClassDecorator {
  return (target) => {
    const shape = target as unknown as SchemaClass;
    const fields = fieldsOf(shape);
    const required = fields.filter(({ isRequired }) => isRequired).map((field) => field.name);
    const properties = fields.map(({ name: field, schema, isRequired }) => [
      field,
      { description: about[field], ...(isRequired ? schema : orNull(schema)) },
    ]);
    nameSchema(
      shape,
      name,
      {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(required.length === 0 ? {} : { required }),
      },
      fields.flatMap(({ nested }) => (nested === null ? [] : [nested.shape])),
    );
  };
}

function schemaOf({ shape, holds }: NestedShape, ofRules: JsonSchema): JsonSchema {
  if (holds === 'one') return refTo(shape);
  return holds === 'list'
    ? { ...ofRules, items: refTo(shape) }
    : { type: 'object', additionalProperties: refTo(shape) };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (schema['$ref'] !== undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    ...(typeof type === 'string' ? { type: [type, 'null'] } : {}),
    ...(Array.isArray(values) ? { enum: [...(values as readonly unknown[]), null] } : {}),
  };
}
