import { ExpressionError } from '../../../errors/document-errors.js';
import type { JsonValue } from '../../core/json.js';
import { compileTemplate } from './compile.js';
import { evaluate, fill, scopeOf } from './testing/evaluate.js';

describe('a string that is one whole expression', () => {
  it.each<[string, JsonValue]>([
    ['${{ state.n }}', 5],
    ['${{state.n}}', 5],
    [' \n ${{ state.n > 1 }}\n', true],
    ['${{ state.list }}', [1, 'a']],
    ['${{ null }}', null],
    ['${{ {"a": {"b": 1}} }}', { a: { b: 1 } }],
    ['${{ {"a": {"b": 1}}}}', { a: { b: 1 } }],
    ['${{{"a":{"b":1}}}}', { a: { b: 1 } }],
    ['${{ "}}" }}', '}}'],
    ["${{ '}}' + \"it's }} {{\" }}", "}}it's }} {{"],
    ['${{ """a "quoted" }}\n""" }}', 'a "quoted" }}\n'],
    ['${{ r"\\" + "}}" }}', '\\}}'],
    ['${{ "\\"}}" }}', '"}}'],
    ['${{ "${{ x }}" }}', '${{ x }}'],
    ['${{ 1 + // }} and more\n 1 }}', 2],
  ])('%j keeps the type of its value', (text, value) => {
    expect(fill(text, { n: 5, list: [1, 'a'] })).toEqual(value);
  });

  it('hands on the very value of the state', () => {
    const list = [1, 2];
    expect(fill('${{ state.list }}', { list })).toBe(list);
  });
});

describe('a string with expressions inside', () => {
  it.each([
    ['Pay ${{ state.n }}?', 'Pay 5?'],
    ['${{ state.n }}${{ state.n }}', '55'],
    ['a ${{ "b" }} c ${{ null }} d ${{ true }} e ${{ 1.5 }}', 'a b c null d true e 1.5'],
    ['list: ${{ [1, "a", {"b": null}] }}', 'list: [1,"a",{"b":null}]'],
    ['😀 ${{ "ü" }}', '😀 ü'],
    ['$${{ not }} but ${{ 1 }}', '${{ not }} but 1'],
    ['$$${{ "x" }}', '$${{ "x" }}'],
    ['$ { ${ {{ }} ${{ 1 }} }}', '$ { ${ {{ }} 1 }}'],
  ])('%j has the values written into it', (text, value) => {
    expect(fill(text, { n: 5 })).toBe(value);
  });
});

describe('a template without an expression', () => {
  it.each<[JsonValue]>([
    ['plain'],
    [''],
    [{ a: [1, { b: 'c' }], d: null }],
    [42],
    [null],
    ['{{ mustache }} }} ${x}'],
  ])('%j is literal and given back as it is', (value) => {
    const compiled = compileTemplate(value);
    expect(compiled).toMatchObject({ ok: true, template: { isLiteral: true } });
    expect(compiled.ok && compiled.template.evaluate(scopeOf({}))).toBe(value);
  });

  it('is literal too when it only escapes the opening', () => {
    const compiled = compileTemplate({ a: ['$${{ x }}'], b: 1 });
    expect(compiled).toMatchObject({ ok: true, template: { isLiteral: true } });
    expect(compiled.ok && compiled.template.evaluate(scopeOf({}))).toEqual({ a: ['${{ x }}'], b: 1 });
  });
});

it('fills strings at every depth, leaves keys alone and shares what holds no expression', () => {
  const fixed = { deep: ['x'] };
  const filled = fill({ '${{ 1 }}': ['a', '${{ state.n }}', { b: '<${{ state.n }}>' }], fixed }, { n: 5 });
  expect(filled).toEqual({ '${{ 1 }}': ['a', 5, { b: '<5>' }], fixed: { deep: ['x'] } });
  expect((filled as { fixed: unknown }).fixed).toBe(fixed);
});

it.each<[JsonValue, string, number, number, RegExp]>([
  ['${{ state.x', '', 1, 1, /never closed/],
  [{ a: ['x', 'text\n and ${{ "}}" '] }, '/a/1', 2, 6, /never closed/],
  [{ 'a/b~c': 'Pay ${{ amount }}' }, '/a~1b~0c', 1, 9, /"amount" is unknown/],
  ['line\n${{ state.x +\n  foo }}', '', 3, 3, /"foo" is unknown/],
  ['${{ }}', '', 1, 4, /empty/],
  ['${{ {"a": 1 }}', '', 1, 1, /never closed/],
])('says where %j is wrong', (value, path, line, column, message) => {
  const compiled = compileTemplate(value);
  expect(compiled).toMatchObject({ ok: false, path, line, column });
  expect(compiled.ok ? '' : compiled.message).toMatch(message);
});

it('names the expression that failed, not the whole template', () => {
  expect(() => fill({ a: 'Pay ${{ state.amount }}' })).toThrow(/`state.amount` has no value/);
  expect(() => fill({ a: 'Pay ${{ state.amount }}' })).toThrow(ExpressionError);
});

it('refuses __proto__ as a key', () => {
  const value = JSON.parse('{"a": {"__proto__": "${{ 1 }}"}}') as JsonValue;
  expect(compileTemplate(value)).toMatchObject({ ok: false, path: '/a' });
});

it('shares one budget between its expressions', () => {
  const hungry = '${{ state.list.map(x, x).size() }}';
  const list = Array.from({ length: 30_000 }, (_, i) => i);
  expect(fill([hungry, hungry, hungry], { list })).toEqual([30_000, 30_000, 30_000]);
  expect(() => fill([hungry, hungry, hungry, hungry], { list })).toThrow(/100000 comprehension steps/);
  expect(evaluate('state.list.map(x, x).size()', { list })).toBe(30_000);
});

it('bounds all of its output together', () => {
  const text = 'a'.repeat(1_000_000);
  const copies = (count: number): JsonValue => Array.from({ length: count }, () => '${{ state.text }}');
  expect(fill(copies(10), { text })).toHaveLength(10);
  expect(() => fill(copies(11), { text })).toThrow(/result has more than 10485760 characters/);
  expect(() => fill(`<${'${{ state.text }}'.repeat(11)}>`, { text })).toThrow(ExpressionError);
});

describe('the expressions of one template', () => {
  const sum = `\${{ ${'1 + '.repeat(100)}1 }}`;

  it('may have so many characters together', () => {
    const most = Array.from({ length: 80 }, () => sum);
    expect(fill(most, {})).toEqual(most.map(() => 101));
  });

  it('and no more, however short each is', () => {
    const compiled = compileTemplate(Array.from({ length: 82 }, () => sum));
    expect(compiled).toMatchObject({
      ok: false,
      message: expect.stringContaining('have more than 32768 characters together'),
    });
  });
});

describe('the faults of a template', () => {
  it('are reported together, each with the string that it stands in', () => {
    const compiled = compileTemplate({ a: '${{ 1 + }}', b: ['fine', 'x ${{ nope }}'], c: '${{ 1 }}' });
    if (compiled.ok) throw new Error('It compiles.');
    expect(compiled.faults.map(({ path, text, offset }) => [path, text, offset])).toEqual([
      ['/a', '${{ 1 + }}', 6],
      ['/b/1', 'x ${{ nope }}', 6],
    ]);
    expect(compiled).toMatchObject({ path: '/a', line: 1, column: 7 });
  });

  it('are a hundred at most', () => {
    const compiled = compileTemplate(Array.from({ length: 300 }, () => '${{ nope }}'));
    expect(compiled.ok ? [] : compiled.faults).toHaveLength(100);
  });
});
