import fc from 'fast-check';
import type { JsonObject } from '../../../../clients/typescript/src/types/json.js';
import { fillForm } from './filled-form.js';
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
    expect(Object.fromEntries(textsOf(input))).toEqual({
      '/amount': '7',
      '/to': 'Ada',
      '/fast': '',
      '/kind': '',
      '/a~1b~0c/inner': '2',
      '/more': '{\n  "x": [\n    1\n  ]\n}',
    });
  });

  it('shows a choice as the text that it is offered by', () => {
    expect(textsOf({ amount: 7, kind: { deep: 1 } }).get('/kind')).toBe('{"deep":1}');
  });

  it('shows an empty field for what is required and not there: the form asks for it', () => {
    const texts = textsOf({ to: 'Ada' });
    expect(texts.get('/amount')).toBe('');
    expect(valueOf(FORM, texts).ok).toBe(false);
  });

  it.each([
    ['a key that it does not know', { amount: 1, other: 1 }, 'has no field for other: take it out'],
    [
      'a key within that it does not know',
      { 'a/b~c': { inner: 1, other: { x: 1 } } },
      'no field for a/b~c.other.x:',
    ],
    ['something else where it has a group', { 'a/b~c': 7 }, 'has no field for a/b~c:'],
    ['a number where it asks for a text', { to: 7 }, 'to must be a text'],
    ['a text where it asks for a number', { amount: '7' }, 'amount must be a number'],
    ['null', { amount: null }, 'amount must be a number'],
    ['a choice that is none', { kind: 'b' }, 'kind must be one of its choices'],
    ['an empty text, which it would leave out', { to: '' }, 'leaves out what is empty, such as to:'],
    ['an empty object, which it would leave out', { 'a/b~c': {} }, 'such as a/b~c:'],
    ['a carriage return, which a field makes a line feed', { to: 'a\r\nb' }, 'to must be a text without'],
  ])('does not show %s, and says why', (_what, input: JsonObject, fault) => {
    expect(fillForm(FORM, input)).toEqual({ ok: false, fault: expect.stringContaining(fault) });
  });

  it('is read as the very input that it was filled with', () => {
    const input = fc.record(
      {
        amount: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
        to: fc.string({
          minLength: 1,
          unit: fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.constant('\n')),
        }),
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
        expect(valueOf(FORM, textsOf(given as JsonObject))).toEqual({ ok: true, value: given });
      }),
    );
  });
});

function textsOf(input: JsonObject): ReadonlyMap<string, string> {
  const filled = fillForm(FORM, input);
  if (!filled.ok) throw new Error(filled.fault);
  return filled.texts;
}
