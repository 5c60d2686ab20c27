import type { JsonObject, JsonValue } from '../../core/json.js';
import type { FaultList } from '../fault-list.js';
import { described } from '../reader/validation/value-in-words.js';

/** Every word that JSON Schema 2020-12 gives a meaning, with those of earlier drafts that schemas still have. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    '$schema $vocabulary $id $anchor $dynamicAnchor $ref $dynamicRef $defs $comment $recursiveRef $recursiveAnchor ' +
    'prefixItems items contains additionalItems unevaluatedItems properties additionalProperties unevaluatedProperties ' +
    'patternProperties dependentSchemas dependencies definitions propertyNames if then else allOf anyOf oneOf not ' +
    'type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems ' +
    'minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired format ' +
    'contentEncoding contentMediaType contentSchema title description default deprecated readOnly writeOnly examples ' +
    'nullable discriminator id $async'
  ).split(' '),
);

const SHOWN_PROPERTIES = 3;
const TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);

/**
 * What is a JSON Schema to the letter and was not meant as one: a map of fields without a keyword takes every input, and
 * one of another type than `object` takes none.
 */
export function checkInputIsMeant(schema: JsonObject | undefined, faults: FaultList): void {
  if (schema === undefined) return;
  const keys = Object.keys(schema);
  if (keys.length > 0 && !keys.some((key) => KEYWORDS.has(key))) {
    faults.add(
      '/spec/input',
      'spec.input is a JSON Schema, and none of its keys is a keyword of one, so it would take every input: write ' +
        asProperties(schema, keys),
    );
    return;
  }
  const { type } = schema;
  if (type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))) return;
  // A value that is no type at all is reported by the check of the schema.
  if (!(Array.isArray(type) ? type : [type]).every((one: JsonValue) => TYPES.has(one))) return;
  faults.add(
    '/spec/input/type',
    `spec.input.type must be \`object\`, not ${described(type)}: the input of a run is an object; write ` +
      '{ type: object, properties: { value: … } } for one that holds it',
  );
}

/** The fields as they would be written in a schema. */
function asProperties(schema: JsonObject, keys: readonly string[]): string {
  const properties = keys.slice(0, SHOWN_PROPERTIES).map((key) => {
    const name = /^[\w-]{1,40}$/.test(key) ? key : JSON.stringify(key.slice(0, 40));
    const given = schema[key];
    return `${name}: ${TYPES.has(given) ? `{ type: ${String(given)} }` : '{ … }'}`;
  });
  if (keys.length > SHOWN_PROPERTIES) properties.push('…');
  return `{ type: object, properties: { ${properties.join(', ')} } }`;
}
