import { compileExpression } from '../compile.js';
import { evaluate } from '../testing/evaluate.js';

function faultOf(source: string): string {
  const compiled = compileExpression(source);
  return compiled.ok ? 'it compiles' : compiled.message;
}

describe('a unit whose id is no identifier', () => {
  it.each([
    ['outputs.my-unit', 'my-unit'],
    ['outputs.my-unit > 1', 'my-unit'],
    ['1 + outputs.my-unit.total', 'my-unit.total'],
    ['outputs.2nd', '2nd'],
    ['outputs.prüfung', 'prüfung'],
    ['outputs.审批 == 1', '审批'],
  ])('read as %s does not compile, and the fault says how it is read', (source, id) => {
    expect(faultOf(source)).toMatch(
      new RegExp(`; a unit whose id is ${id} is read as outputs\\["${id}"\\]$`),
    );
  });

  it.each([
    ['outputs.step-2', 'step', 'outputs["step-2"]'],
    ['outputs.a.b', 'a', 'outputs["a.b"]'],
    ['errors.a.b', 'a', 'errors["a.b"]'],
  ])('read as %s compiles, and the error of the run says how it is read', (source, missing, read) => {
    expect(() => evaluate(source)).toThrow(`"${missing}" is missing; a unit whose id is `);
    expect(() => evaluate(source)).toThrow(`is read as ${read}`);
  });

  it('is read in brackets', () => {
    const state = { 'output.my-unit': 1, 'output.2nd': 2, 'output.审批': 3, 'errors.a.b': 'no' };
    expect(evaluate('[outputs["my-unit"], outputs["2nd"], outputs["审批"], errors["a.b"]]', state)).toEqual([
      1,
      2,
      3,
      'no',
    ]);
    expect(evaluate('"2nd" in outputs && !("3rd" in outputs)', state)).toBe(true);
  });

  it('is found in either way of writing its letters', () => {
    const composed = 'pr\u00fcfung';
    const apart = 'pru\u0308fung';
    const state = { [`output.${composed}`]: 1 };
    expect(evaluate(`outputs["${apart}"] + outputs["${composed}"]`, state)).toBe(2);
    expect(evaluate(`"${apart}" in outputs`, state)).toBe(true);
  });
});

describe('a fault that has nothing to do with a unit', () => {
  it.each([
    'outputs.total + nope',
    'state.my-unit',
    'input.a-b',
    'outputs.a + ',
    'nope - outputs["my-unit"]',
  ])('%s: says nothing of brackets', (source) => {
    expect(faultOf(source)).not.toContain('is read as');
  });
});
