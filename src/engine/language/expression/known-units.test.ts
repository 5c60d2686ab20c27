import { compileExpression } from './compile.js';
import { UNLIMITED } from './limits/allowance.js';
import type { OutputRead } from './known-units.js';
import { NO_LOOPS } from './surroundings.js';

/** The fault, or the warnings, of an expression in a document with these units. */
function verdictOn(source: string, ids = ['extract', 'my-unit', 'a.b', 'prüfung', 'outputs']) {
  const warnings: string[] = [];
  const units = {
    has: (id: string) => ids.includes(id),
    near: (id: string) => ids.find((one) => one.startsWith(id.slice(0, 4))),
    ids: () => ids,
    warn: (_at: unknown, message: string) => void warnings.push(message),
    read: () => undefined,
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
      '0: "extract" is unknown: in scope are input, state, outputs, errors, run, now; the output of that unit is outputs.extract',
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

/** What an expression reads of outputs: how, of which unit, and the offset. */
function readsOf(source: string): readonly string[] {
  const found: string[] = [];
  const units = {
    has: (id: string) => ['x', 'y', 'my-unit', 'prüfung'].includes(id),
    near: () => undefined,
    ids: () => [],
    warn: () => undefined,
    read: ({ kind, unitId, offset }: OutputRead) => void found.push(`${kind} ${unitId} ${offset}`),
  };
  const compiled = compileExpression(source, NO_LOOPS, { allowance: UNLIMITED, units });
  return compiled.ok ? found : [compiled.message];
}

describe('how an expression reads an output', () => {
  it.each([
    ['outputs.x', ['plain x 0']],
    ['1 + outputs["my-unit"].total', ['plain my-unit 4']],
    ['outputs["pru\u0308fung"]', ['plain prüfung 0']],
    ['state["output.x"] == outputs.y', ['plain x 0', 'plain y 21']],
    ['size([outputs.x, {"a": outputs.y}])', ['plain x 6', 'plain y 23']],
    ['outputs.x.map(one, one + 1)', ['plain x 0']],
    ['has(outputs.x)', ['asked x 4']],
    ['has(outputs.x.total)', ['asked x 4']],
    ['"x" in outputs || "output.y" in state', ['asked x 7', 'asked y 32']],
    ['has(outputs.x) && outputs.x > 1', ['asked x 4', 'conditional x 18']],
    ['outputs.x || input.a', ['conditional x 0']],
    ['input.a ? outputs.x : outputs.y', ['conditional x 10', 'conditional y 22']],
    ['input.list.exists(one, outputs.x == one)', ['conditional x 23']],
    ['input.list.map(one, outputs.x)', ['conditional x 20']],
    ['[1].map(outputs, outputs.x)', []],
    ['errors.x', []],
    ['outputs[input.which]', []],
    ['outputs', []],
    ['state["output.nobody"] + state.x', []],
    ['input.outputs.x', []],
  ])('%s', (source, reads) => {
    expect(readsOf(source)).toEqual(reads);
  });
});
