import { compileExpression } from '../compile.js';
import { evaluate } from '../testing/evaluate.js';

function faultOf(source: string): string {
  const compiled = compileExpression(source);
  return compiled.ok ? 'it compiles' : compiled.message;
}

describe('a mistake of somebody who knows other languages', () => {
  it.each([
    [
      '${{ state.x > 1 }}',
      '"${{" cannot stand here: this is an expression already, so leave ${{ }} out, and write state.x > 1',
    ],
    [
      '${{ state.x',
      '"${{" cannot stand here: this is an expression already, so leave ${{ }} out, and write state.x',
    ],
    [
      '{{ state.x }}',
      '"{{" cannot stand here: this is an expression already, so leave {{ }} out, and write state.x',
    ],
    ['state.x = 1', '"=" cannot stand here: compare with =='],
    ['state.x === 1', '"===" cannot stand here: compare with =='],
    ['state.x !== 1', '"!==" cannot stand here: compare with !='],
    ['state.x <> 1', '"<>" cannot stand here: compare with !='],
    ['state.a and state.b', '"and" cannot stand here: write &&'],
    ['state.a OR state.b', '"OR" cannot stand here: write ||'],
    ['not state.a', '"not" cannot stand here: write !'],
    ['state.a is null', '"is" cannot stand here: compare with =='],
    ['if state.a then 1', '"if" cannot stand here: write condition ? value : other'],
    ['state.a & state.b', '"&" cannot stand here: write &&'],
    [
      'state.a | upper',
      '"|" cannot stand here: write || for "or"; there are no filters: call a function, as in input.x.lowerAscii()',
    ],
    [
      'state.a ?? 1',
      '"??" cannot stand here: for another value where one is missing write has(input.x) ? input.x : 1',
    ],
    ['state?.a', '"?." cannot stand here: test first whether it is there: has(input.x) && input.x > 1'],
    ['$input.x', '"$input" cannot stand here: write input, without the $'],
    ['input.x == “a”', '"“" cannot stand here: put texts in straight quotes, " or \''],
    [
      'input.xs.some(x => x > 1)',
      '"=>" cannot stand here: write >= for "at least", and list.exists(x, x > 1) for a function',
    ],
    ['input.xs.length() > 1', 'there is no function "length": how many there are is size(x)'],
    ['len(input.xs)', 'there is no function "len": how many there are is size(x)'],
    ['input.a.toLowerCase()', 'there is no function "toLowerCase": write x.lowerAscii()'],
    ['input.a.startWith("x")', 'there is no function "startWith": did you mean startsWith?'],
    [
      'state.a == None',
      '"None" is unknown: in scope are input, state, outputs, errors, run, now; write null',
    ],
    [
      'state.a == True',
      '"True" is unknown: in scope are input, state, outputs, errors, run, now; write true',
    ],
    ['inputs.a', '"inputs" is unknown: in scope are input, state, outputs, errors, run, now; write input'],
    [
      'env.HOME',
      '"env" is unknown: in scope are input, state, outputs, errors, run, now; an expression sees no environment: pass what it needs in the input',
    ],
  ])('%s is named', (source, message) => {
    expect(faultOf(source)).toBe(message);
  });

  it.each([
    ['size("a = b and c") > 0 && input.x === 1', '"==="'],
    ['input.x + // and so = on\n', 'what follows it is incomplete'],
    ['input.and + ', 'what follows it is incomplete'],
    ["'=' + ", 'what follows it is incomplete'],
    ['input..x', '"." cannot stand here'],
  ])('is not looked for in texts, comments and members: %j', (source, message) => {
    expect(faultOf(source)).toContain(message);
  });

  it.each(['{"a": 1}.a == 1', 'size("${{ x }}") > 0', '{{"a": 1}.a: 2}[1] == 2'])(
    'is not seen in %s',
    (source) => {
      expect(faultOf(source)).toBe('it compiles');
    },
  );
});

describe('a key that other languages have', () => {
  it.each([
    ['input.xs.length > 1', { xs: [1] }, 'how many there are is size(input.xs)'],
    ['input.text.length > 1', { text: 'abc' }, 'how many there are is size(input.text)'],
    ['state.output.extract', {}, 'the output of a unit is outputs.extract, or state["output.extract"]'],
  ])('fails a run with what to write: %s', (source, input, advice) => {
    expect(() => evaluate(source, {}, { input })).toThrow(advice);
  });

  it('is read when it is there', () => {
    expect(evaluate('input.parcel.length', {}, { input: { parcel: { length: 3 } } })).toBe(3);
  });
});
