import { faultsByField, formOf, valueOf } from './schema-form.js';

const SCHEMA = {
  type: 'object',
  required: ['amount', 'customer'],
  properties: {
    amount: { type: 'number', minimum: 0, description: 'In euros' },
    count: { type: 'integer', default: 2 },
    urgent: { type: 'boolean' },
    currency: { enum: ['EUR', 'USD', 3] },
    note: { type: 'string', maxLength: 20 },
    tags: { type: 'array' },
    'a/b~c': { type: 'string' },
    customer: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, vip: { type: 'boolean' } },
    },
  },
};
const form = formOf(SCHEMA) ?? [];
const fields = form.flatMap((group) => group.fields);

describe('the form of a workflow input', () => {
  it('has a field of its kind for each property, and a group for each object', () => {
    expect(fields.map(({ label, kind, isRequired }) => [label, kind, isRequired])).toEqual([
      ['amount', 'number', true],
      ['count', 'integer', false],
      ['urgent', 'boolean', false],
      ['currency', 'choice', false],
      ['note', 'text', false],
      ['tags', 'json', false],
      ['a/b~c', 'text', false],
      ['customer.id', 'text', true],
      ['customer.vip', 'boolean', false],
    ]);
    expect(form.map(({ label }) => label)).toEqual(['', 'customer']);
    expect(fields[0]).toMatchObject({ bounds: 'at least 0', description: 'In euros' });
  });

  it('gives the input that its texts mean, and leaves out what is empty', () => {
    const texts = new Map([
      ['/amount', '12.5'],
      ['/currency', '3'],
      ['/tags', '["a"]'],
      ['/a~1b~0c', 'x'],
      ['/customer/id', 'c1'],
      ['/note', ''],
    ]);
    expect(valueOf(form, texts)).toEqual({
      ok: true,
      value: { amount: 12.5, count: 2, currency: 3, tags: ['a'], 'a/b~c': 'x', customer: { id: 'c1' } },
    });
  });

  it('says at each field what is wrong with its text', () => {
    const texts = new Map([
      ['/count', '1.5'],
      ['/urgent', 'yes'],
      ['/currency', '"GBP"'],
      ['/tags', '[1,'],
      ['/customer/id', 'c1'],
    ]);
    const read = valueOf(form, texts);
    expect(read.ok).toBe(false);
    const faults = read.ok ? new Map<string, string>() : read.faults;
    expect([...faults.keys()]).toEqual(['/amount', '/count', '/urgent', '/currency', '/tags']);
    expect(faults.get('/amount')).toBe('amount is required: fill it in');
    expect(faults.get('/count')).toBe('count must be a whole number');
    expect(faults.get('/tags')).toMatch(/^tags is no JSON: /);
  });

  it('keeps a property named __proto__ as a property', () => {
    const odd = formOf(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}')) ?? [];
    const read = valueOf(odd, new Map([['/__proto__', 'x']]));
    expect(JSON.stringify(read.ok && read.value)).toBe('{"__proto__":"x"}');
  });

  it('puts what the service found wrong at its fields, and the rest above them', () => {
    const faults = faultsByField(form, [
      { path: '/amount', message: 'input.amount must be >= 0' },
      { path: '/tags/0', message: 'input.tags[0] must be a string' },
      { path: '/other', message: 'input.other is not known' },
    ]);
    expect(faults.get('/amount')).toBe('input.amount must be >= 0');
    expect(faults.get('/tags')).toBe('input.tags[0] must be a string');
    expect(faults.get('')).toBe('input.other is not known');
  });

  it('is none where the schema names no property', () => {
    expect(formOf(null)).toBeNull();
    expect(formOf({ type: 'object' })).toBeNull();
  });
});
