import fc from 'fast-check';
import type { JsonObject } from '../../../../clients/typescript/src/types/json.js';
import { textsOf } from './filled-form.js';
import { formOf, valueOf } from './schema-form.js';

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['amount'],
  properties: {
    amount: { type: 'number', default: 3 },
    to: { type: 'string' },
    fast: { type: 'boolean', default: true },
    kind: { enum: ['a', { deep: 1 }] },
    'a/b~c': { type: 'object', properties: { inner: { type: 'integer' } } },
    more: { type: 'object' },
  },
};
const FORM = formOf(SCHEMA)!;

describe('a form that is filled with an input', () => {
  it('shows each value in its field, and none where there was none, whatever the field holds at first', () => {
    const input = { amount: 7, to: 'Ada', 'a/b~c': { inner: 2 }, more: { x: [1] } };
    const texts = textsOf(FORM, input);
    expect(Object.fromEntries(texts ?? [])).toEqual({
      '/amount': '7',
      '/to': 'Ada',
      '/fast': '',
      '/kind': '',
      '/a~1b~0c/inner': '2',
      '/more': '{\n  "x": [\n    1\n  ]\n}',
    });
  });

  it.each([
    ['a key that it does not know', { amount: 1, other: 1 }],
    ['a key within that it does not know', { amount: 1, 'a/b~c': { other: 1 } }],
    ['a value of another type', { amount: 1, to: 7 }],
    ['an empty text, which it would leave out', { amount: 1, to: '' }],
    ['nothing for what is required', { to: 'Ada' }],
    ['an empty object, which it would leave out', { amount: 1, 'a/b~c': {} }],
  ])('does not show %s', (_what, input) => {
    expect(textsOf(FORM, input)).toBeNull();
  });

  it('is read as the very input that it was filled with', () => {
    const input = fc.record(
      {
        amount: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
        to: fc.string({ minLength: 1 }),
        fast: fc.boolean(),
        kind: fc.constantFrom('a', { deep: 1 }),
        'a/b~c': fc.record({ inner: fc.integer() }),
        more: fc.dictionary(
          fc.string().filter((name) => name !== '__proto__'),
          fc.integer(),
        ),
      },
      { requiredKeys: ['amount'] },
    );
    fc.assert(
      fc.property(input, (given) => {
        const texts = textsOf(FORM, given as JsonObject);
        expect(texts).not.toBeNull();
        expect(valueOf(FORM, texts!)).toEqual({ ok: true, value: given });
      }),
    );
  });
});
