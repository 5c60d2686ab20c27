import { compileExpression } from './compile.js';
import { UNLIMITED } from './allowance.js';
import { NO_LOOPS } from './surroundings.js';

/** The fault, or the warnings, of an expression in a document with these units. */
function verdictOn(source: string, ids = ['extract', 'my-unit', 'a.b', 'prüfung', 'outputs']) {
  const warnings: string[] = [];
  const units = {
    has: (id: string) => ids.includes(id),
    near: (id: string) => ids.find((one) => one.startsWith(id.slice(0, 4))),
    ids: () => ids,
    warn: (message: string) => void warnings.push(message),
  };
  const compiled = compileExpression(source, NO_LOOPS, { allowance: UNLIMITED, units });
  return compiled.ok ? warnings : `${compiled.offset}: ${compiled.message}`;
}

describe('what an expression reads of a unit', () => {
  it.each([
    'outputs.extract.total > 1',
    'outputs["my-unit"] == 1 && outputs["a.b"] == 2',
    'outputs["pru\u0308fung"]',
    'has(outputs.extract) && "my-unit" in outputs && has(errors.extract)',
    'outputs[state.which]',
    'state.outputs.nobody',
    'input.outputs["nobody"]',
    '[{"nobody": 1}].map(outputs, outputs.nobody)',
    'outputs.map(id, outputs[id])',
    'state["output.nobody"]',
  ])('may be of one that is there, or that only the run knows: %s', (source) => {
    expect(verdictOn(source)).toEqual([]);
  });

  it.each([
    ['outputs.extrct.total', '0: no unit is named extrct: did you mean outputs.extract?'],
    ['1 + outputs["my-unt"]', '4: no unit is named my-unt: did you mean outputs["my-unit"]?'],
    ['errors.extr', '0: no unit is named extr: did you mean errors.extract?'],
    ['outputs.zz', '0: no unit is named zz: the units are extract, my-unit, a.b, prüfung, outputs'],
    [
      'has(outputs.zz.total)',
      '4: no unit is named zz: the units are extract, my-unit, a.b, prüfung, outputs',
    ],
    [
      'has(outputs.zz) && outputs.zz > 1',
      '19: no unit is named zz: the units are extract, my-unit, a.b, prüfung, outputs',
    ],
    [
      'extract.total',
      '0: "extract" is unknown: in scope are input, state, outputs, errors, run; the output of that unit is outputs.extract',
    ],
    [
      'outputs.my-unit.total',
      '0: outputs.my-unit is a subtraction in an expression; a unit whose id is my-unit is read as outputs["my-unit"]',
    ],
    [
      'outputs.a.b > 1',
      '0: outputs.a.b is not one name in an expression; a unit whose id is a.b is read as outputs["a.b"]',
    ],
  ])('must not be of one that is not: %s', (source, fault) => {
    expect(verdictOn(source)).toBe(fault);
  });

  it.each(['has(outputs.extrct)', '"extrct" in outputs'])(
    'may ask for one that is not, with a warning: %s',
    (source) => {
      expect(verdictOn(source)).toEqual([
        'An expression asks whether outputs.extrct is there, which it never is: no unit is named extrct: did you mean outputs.extract?',
      ]);
    },
  );

  it('that is not there names eight of them at most', () => {
    const ids = Array.from({ length: 20 }, (_, index) => `unit_${index}`);
    expect(verdictOn('outputs.zz', ids)).toMatch(/the units are unit_0, .*unit_7 and 12 more$/);
  });
});
