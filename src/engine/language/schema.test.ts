import { Ajv2020 } from 'ajv/dist/2020.js';
import { type SchemaNode, workflowSchema } from './schema.js';

/** Each schema inside the schema, with its location. */
function* schemasIn(node: SchemaNode, place = ''): Generator<{ place: string; schema: SchemaNode }> {
  yield { place, schema: node };
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === 'examples' || keyword === 'default' || typeof value !== 'object' || value === null)
      continue;
    const children = ['properties', '$defs', 'allOf'].includes(keyword)
      ? Object.entries(value)
      : [['', value] as const];
    for (const [name, child] of children) {
      if (typeof child !== 'object' || child === null || Array.isArray(child)) continue;
      yield* schemasIn(child as SchemaNode, `${place}/${keyword}${name === '' ? '' : `/${name}`}`);
    }
  }
}

const ALL = [...schemasIn(workflowSchema())];
const OPEN = ['/$defs/contextPolicy', '/$defs/contextPolicy/properties/memory'];

function properties(schema: SchemaNode): [string, SchemaNode][] {
  return Object.entries((schema.properties ?? {}) as Record<string, SchemaNode>);
}

/** Fields as they are defined; what a condition says of one is no definition of it. */
const FIELDS = ALL.filter(({ place }) => !/\/(?:if|not)(?:\/|$)|(?:loop|try)\/allOf/.test(place)).flatMap(
  ({ place, schema }) => properties(schema).map(([name, field]) => ({ place: `${place}/${name}`, field })),
);

/** What a field says, or the definition that it refers to. */
function said(field: SchemaNode, keyword: string): unknown {
  if (field[keyword] !== undefined || typeof field.$ref !== 'string') return field[keyword];
  const definitions = workflowSchema().$defs as Record<string, SchemaNode>;
  return definitions[field.$ref.replace('#/$defs/', '')]?.[keyword];
}

describe('the published schema', () => {
  it('is a valid schema of draft 2020-12', () => {
    expect(workflowSchema().$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(new Ajv2020({ strictTypes: false }).validateSchema(workflowSchema())).toBe(true);
  });

  it.each(['title', 'description'])('has a %s of every field and of every definition', (keyword) => {
    const silent = FIELDS.filter(({ field }) => typeof said(field, keyword) !== 'string');
    expect(silent.map(({ place }) => place)).toEqual([]);
    const definitions = Object.entries(workflowSchema().$defs as Record<string, SchemaNode>);
    expect(definitions.filter(([, one]) => typeof one[keyword] !== 'string')).toEqual([]);
  });

  it('has an example of every field, or a list of all that it may be', () => {
    const without = FIELDS.filter(({ field }) =>
      ['examples', 'enum', 'const'].every((keyword) => said(field, keyword) === undefined),
    );
    expect(without.map(({ place }) => place)).toEqual([]);
  });

  it('is called by no address: editors are told where it is', () => {
    expect(workflowSchema().$id).toBe('urn:flowgate:schema:workflow:v1');
  });

  it('refuses unknown fields everywhere but in open objects', () => {
    const open = ALL.filter(
      ({ schema }) =>
        schema.type === 'object' && 'properties' in schema && schema.additionalProperties !== false,
    );
    expect(open.map(({ place }) => place)).toEqual(OPEN);
  });

  it('bounds every number, every list and every map of names', () => {
    const unbounded = ALL.filter(({ schema }) => {
      if (schema.type === 'integer' || schema.type === 'number')
        return !('minimum' in schema && 'maximum' in schema);
      if ('items' in schema) return !('maxItems' in schema);
      return typeof schema.additionalProperties === 'object' && !('maxProperties' in schema);
    });
    expect(unbounded.map(({ place }) => place)).toEqual([]);
  });

  it('has examples that satisfy it', () => {
    const ajv = new Ajv2020({ strictTypes: false });
    ajv.addSchema(workflowSchema(), 'workflow');
    for (const { place, schema } of ALL) {
      for (const example of (schema.examples ?? []) as unknown[]) {
        const validate = ajv.compile({ $ref: `workflow#${place}` });
        validate(example);
        expect({ place, errors: validate.errors }).toEqual({ place, errors: null });
      }
    }
  });
});
