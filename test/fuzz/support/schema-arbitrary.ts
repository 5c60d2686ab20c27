import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/engine/index.js';
import { inputs, jsonValues, keys, sizes } from './json-arbitrary.js';

const types = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'nothing');

/** Schemas of all kinds, most of them sound; references go to the `$defs` `d0` to `d2`, forwards and in circles. */
const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const one = tie('schema');
  const some = fc.array(one, { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      types.map((type) => ({ type })),
      fc.constantFrom<JsonValue>(true, false, {}, { minimum: 0 }, { maxLength: 3 }, { uniqueItems: true }),
      fc.constantFrom('^a', '(a+)+$', '[', 'a{1000}', '(?=a)', '.*.*.*x').map((pattern) => ({ pattern })),
      fc
        .constantFrom('#/$defs/d0', '#/$defs/d1', '#/$defs/d2', '#', '#/nowhere', 'http://page.example/s')
        .map(($ref) => ({ $ref })),
      fc.constantFrom('date-time', 'email', 'regex', 'uri', 'nothing').map((format) => ({ format })),
      fc.array(jsonValues, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
      fc
        .tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), some)
        .map(([keyword, branches]) => ({ [keyword]: branches })),
      fc
        .tuple(fc.constantFrom('not', 'items', 'contains', 'additionalProperties', 'propertyNames'), one)
        .map(([keyword, inner]) => ({ [keyword]: inner })),
      fc.dictionary(keys, one, { maxKeys: 3 }).map((properties) => ({ type: 'object', properties })),
    ) as fc.Arbitrary<JsonValue>,
  };
});

const anySchema: fc.Arbitrary<JsonObject> = fc
  .record({ d0: schema, d1: schema, d2: schema, properties: fc.dictionary(keys, schema, { maxKeys: 4 }) })
  .map(({ properties, ...$defs }) => ({ type: 'object', $defs, properties }) as JsonObject);

/** A schema that the value satisfies. */
function schemaOf(value: JsonValue): JsonObject {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', minItems: value.length };
  if (typeof value !== 'object') return { type: typeof value };
  const properties = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, schemaOf(one)]));
  return { type: 'object', properties, required: Object.keys(value) };
}

/** Branches in two on every level: what a validator would take for ever to refuse. */
const branching = fc.tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), sizes(40)).map(([keyword, levels]) => {
  const $defs: Record<string, JsonValue> = { [`d${levels}`]: { type: 'boolean' } };
  for (let n = 0; n < levels; n += 1) {
    const next = { $ref: `#/$defs/d${n + 1}` };
    $defs[`d${n}`] = { [keyword]: [next, next] };
  }
  return { $defs, properties: { n: { $ref: '#/$defs/d0' } } } as JsonObject;
});

/** What a run is started with, and what the document says of it: nothing, the truth, or something else. */
export const inputsAndSchemas: fc.Arbitrary<{
  readonly input: JsonObject;
  readonly schema: JsonObject | null;
}> = fc
  .tuple(
    inputs,
    fc.oneof(
      { weight: 6, arbitrary: fc.constant('none' as const) },
      { weight: 3, arbitrary: fc.constant('true' as const) },
      { weight: 2, arbitrary: anySchema },
      { weight: 1, arbitrary: branching },
    ),
  )
  .map(([input, kind]) => ({
    input,
    schema: kind === 'none' ? null : kind === 'true' ? schemaOf(input) : kind,
  }));
