import { valueCheck } from './value-check.js';

const AMOUNT = {
  type: 'object',
  required: ['amount'],
  properties: { amount: { type: 'number', minimum: 0 }, name: { type: 'string', pattern: '^(a+)+$' } },
};

describe('the check of a value against a JSON Schema', () => {
  const check = valueCheck(AMOUNT, 'input');

  it('finds nothing wrong with what satisfies it', () => {
    expect(check({ amount: 1, name: 'aaa' })).toBeNull();
    expect(valueCheck({ type: 'number' }, 'output')(1)).toBeNull();
  });

  it('says all that is wrong, by the name of what is checked', () => {
    expect(check({ amount: -1, name: 1 })).toBe('input.amount must be >= 0; input.name must be string');
    expect(valueCheck(AMOUNT, 'output')([])).toBe('output must be object');
  });

  it('is bounded in time and text, whatever the value', () => {
    const items = valueCheck({ items: { type: 'number' } }, 'input');
    const said = items(Array.from({ length: 900 }, () => 'x'));
    expect(said!.split('; ')).toHaveLength(21);
    expect(items(Array.from({ length: 9_000_000 }, () => 0))).toContain('too long to be checked');
    expect(check({ amount: 1, name: 'a'.repeat(100_000) + 'b' })).toMatch(/must match|too long/);
  });

  it('does not follow what its author changes later', () => {
    const schema = { type: 'string' };
    const checkText = valueCheck(schema, 'input');
    schema.type = 'number';
    expect(checkText('text')).toBeNull();
  });

  it.each([
    [{ type: 'strnig' }, /its input cannot be used: input\.type must be one of/],
    [{ $ref: '#/$defs/none' }, /its input cannot be used/],
    [{ $async: true }, /\$async/],
    [{ pattern: '(' }, /its input cannot be used/],
    [[], /must be an object/],
  ])('is refused for the schema %j', (schema, said) => {
    expect(() => valueCheck(schema as never, 'input')).toThrow(said);
  });

  it.each([
    { enum: ['a', 0, { valueOf: 1, deep: [1, { b: 1, a: 2 }] }] },
    { const: asYaml({ a: 1, constructor: 2 }) },
  ])('compares by what values are in JSON: %j', (schema) => {
    const checkOne = valueCheck(asYaml(schema) as never, 'input');
    const allowed = 'enum' in schema ? schema.enum : [schema.const];
    for (const value of allowed) expect(checkOne(JSON.parse(JSON.stringify(value)))).toBeNull();
    expect(checkOne({ deep: [1, { a: 2, b: 1 }], valueOf: 1 } as never)).toBe(
      'enum' in schema ? null : 'input must be equal to constant',
    );
    for (const other of ['0', false, null, {}, [], { valueOf: 2 }, { deep: [1], valueOf: 1 }])
      expect(checkOne(other as never)).toMatch(/^input must be equal to /);
  });
});

/** Objects without a prototype, as the reader of documents makes them. */
function asYaml(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, asYaml(member)] as const);
  return Object.assign(Object.create(null) as object, Object.fromEntries(members));
}
