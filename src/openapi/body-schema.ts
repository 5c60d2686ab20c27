import { getMetadataStorage, ValidationTypes } from '../http/class-validator.js';
import { nestedShapeOf, type NestedShape } from '../http/nested-shape.js';
import { nameSchema, refTo, type JsonSchema, type SchemaClass } from './schema-class.js';

/** The JSON Schema of each rule of class-validator; other rules add nothing. */
const WORDS: Readonly<Record<string, (...given: readonly never[]) => JsonSchema>> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isObject: () => ({ type: 'object', additionalProperties: true }),
  isIn: (values: readonly unknown[]) => ({ type: typeof values[0], enum: values }),
  min: (least: number) => ({ minimum: least }),
  max: (most: number) => ({ maximum: most }),
  isLength: (least: number, most: number) => ({ type: 'string', minLength: least, maxLength: most }),
  maxLength: (most: number) => ({ maxLength: most }),
  matches: (pattern: RegExp) => ({ type: 'string', pattern: pattern.source }),
};

/**
 * Gives a DTO its schema, made of the rules that its fields declare to class-validator, and of the classes that
 * class-transformer's `Type` nests, so that what is checked and what is documented cannot differ. A field of a nested
 * class is such an object if it is declared to be an object, otherwise an object of such, by name. Optional fields
 * may be null, as everywhere (wire contract, "leniency").
 */
export function BodySchema(name: string, about: Readonly<Record<string, string>>): ClassDecorator {
  return (target) => {
    const shape = target as unknown as SchemaClass;
    const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    const nested: SchemaClass[] = [];
    for (const field of new Set(rules.map(({ propertyName }) => propertyName))) {
      const ofField = rules.filter(({ propertyName }) => propertyName === field);
      const words = ofField.map(({ name: rule = '', constraints = [] }) =>
        WORDS[rule]?.(...(constraints as never[])),
      );
      const within = nestedShapeOf(shape, field);
      if (within !== null) nested.push(within.shape);
      const schema = within === null ? (Object.assign({}, ...words) as JsonSchema) : schemaOf(within);
      const isOptional = ofField.some((rule) =>
        [ValidationTypes.CONDITIONAL_VALIDATION, ValidationTypes.WHITELIST].includes(rule.type),
      );
      if (!isOptional) required.push(field);
      properties[field] = { description: about[field], ...(isOptional ? orNull(schema) : schema) };
    }
    nameSchema(
      shape,
      name,
      { type: 'object', properties, ...(required.length === 0 ? {} : { required }) },
      nested,
    );
  };
}

function schemaOf({ shape, isOne }: NestedShape): JsonSchema {
  return isOne ? refTo(shape) : { type: 'object', additionalProperties: refTo(shape) };
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
