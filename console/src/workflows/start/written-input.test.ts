import type { JsonObject } from '../../../../clients/typescript/src/types/json.js';
import { formOf } from '../form/schema-form.js';
import { beginInput, inputOf, switchView, type WrittenInput } from './written-input.js';

const FORM = formOf({
  type: 'object',
  required: ['amount'],
  properties: {
    amount: { type: 'number' },
    note: { type: 'string' },
    count: { type: 'integer', default: 2 },
  },
})!;

const begun = (given: JsonObject = {}): WrittenInput => beginInput(FORM, given);
const asJson = (json: string, before = switched(begun())): WrittenInput => ({ ...before, json });

describe('an input that is begun', () => {
  it('stands in the form, where that holds it, and otherwise as JSON', () => {
    expect(begun({ amount: 1 })).toMatchObject({ isJson: false, json: '{\n  "amount": 1\n}' });
    expect(begun({ other: 1 })).toMatchObject({ isJson: true, json: '{\n  "other": 1\n}' });
    expect(beginInput(null, {})).toMatchObject({ isJson: true, json: '{}' });
  });

  it('holds what the fields hold at first, where nothing is given', () => {
    expect(inputOf(FORM, filled(begun(), '/amount', '1'))).toEqual({
      ok: true,
      value: { amount: 1, count: 2 },
    });
  });
});

describe('an input that is shown in the other view', () => {
  it('is what was written in this one', () => {
    const inForm = switched(asJson('{"amount": 5, "note": "a\\nb"}'));
    expect(Object.fromEntries(inForm.texts)).toEqual({ '/amount': '5', '/note': 'a\nb', '/count': '' });
    const back = switched(filled(inForm, '/amount', '6'));
    expect(JSON.parse(back.json)).toEqual({ amount: 6, note: 'a\nb' });
  });

  it('is shown again as it was written, where nothing was changed since', () => {
    const json = '{ "amount": 5e0,\n"note":"x" }';
    expect(switched(switched(asJson(json))).json).toBe(json);
    const form = filled(filled(begun(), '/note', 'x'), '/count', ' 7 ');
    expect(switched(switched(form)).texts).toBe(form.texts);
  });

  it('may lack what is required: somebody may want to write it there', () => {
    expect(switched(begun()).json).toBe('{\n  "count": 2\n}');
    const inForm = switched(asJson('{"note": "x"}'));
    expect(inputOf(FORM, inForm)).toEqual({
      ok: false,
      faults: new Map([['/amount', 'amount is required: fill it in']]),
    });
  });

  it.each([
    ['{"amount": 5, "other": 1}', /^The form has no field for other:/],
    ['{"amount": 5', /^This is no JSON: line 1/],
    ['[5]', /no JSON object/],
  ])('is refused, with why, where the form cannot hold it: %s', (json, why) => {
    const refused = switchView(FORM, asJson(json));
    expect(refused).toEqual({ ok: false, faults: new Map([['', expect.stringMatching(why)]]) });
  });

  it.each([
    ['/count', '1.5', 'count must be a whole number'],
    ['/amount', '1e999', 'amount must be a number'],
  ])('is refused at its field, where that holds no value: %s', (pointer, text, fault) => {
    expect(switchView(FORM, filled(begun(), pointer, text))).toEqual({
      ok: false,
      faults: new Map([[pointer, fault]]),
    });
  });

  it('is started as it is shown', () => {
    expect(inputOf(FORM, asJson('{"amount": 5, "other": 1}'))).toEqual({
      ok: true,
      value: { amount: 5, other: 1 },
    });
    expect(inputOf(FORM, asJson('{'))).toMatchObject({ ok: false });
  });
});

function switched(written: WrittenInput): WrittenInput {
  const other = switchView(FORM, written);
  if (!other.ok) throw new Error([...other.faults.values()].join());
  return other.written;
}

function filled(written: WrittenInput, pointer: string, text: string): WrittenInput {
  return { ...written, texts: new Map(written.texts).set(pointer, text) };
}
