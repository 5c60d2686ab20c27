import { array, assert, constantFrom, property } from 'fast-check';
import { ExpressionError } from '../../../errors/document-errors.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { compileExpression, compileTemplate } from './compile.js';
import { patternSize } from './functions/patterns.js';
import { evaluate, scopeOf } from './testing/evaluate.js';
import { lawCases } from '../../../../test/support/law-cases.js';
import { cpuMs } from '../../../../test/support/cpu-time.js';

/** Far above what any of these takes on a slow machine, far below what they would take without a bound. */
const BOUND_MS = 10_000;

const numbers = (length: number): number[] => Array.from({ length }, (_, i) => i);
const list = numbers(300);
const text = 'a'.repeat(1_000_000);
const deep = (levels: number): JsonValue => {
  let value: JsonValue = 1;
  for (let i = 0; i < levels; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
};

function timed<T>(run: () => T): T {
  const startedAt = cpuMs();
  try {
    return run();
  } finally {
    expect(cpuMs() - startedAt).toBeLessThan(BOUND_MS);
  }
}

describe('an evaluation that would not end', () => {
  it.each<[string, RegExp, JsonObject]>([
    ['state.l.map(a, state.l.map(b, state.l.map(c, a + b + c)))', /steps/, { l: list }],
    ['state.l.filter(a, state.l.exists(b, state.l.all(c, true) && false))', /steps/, { l: list }],
    ['state.l.all(a, state.l.all(b, state.l.exists_one(c, c == a)))', /steps/, { l: list }],
    ['state.l.exists(a, state.l.map(b, state.l.map(c, c)).size() < 0) || true', /steps/, { l: list }],
    [
      'true || state.l.map(a, state.l.map(b, state.l)).size() > 0 ? [state.l].map(z, state.l.map(a, state.l.map(b, state.l.map(c, c)))) : []',
      /steps/,
      { l: list },
    ],
    ['state.l.map(x, x)', /steps/, { l: numbers(100_001) }],
    [
      'state.map(key, state.map(other, key + other))',
      /steps/,
      Object.fromEntries(numbers(1_000).map((n) => [`k${n}`, n])),
    ],
  ])('%s stops at a bound', (source, message, state) => {
    expect(() => timed(() => evaluate(source, state))).toThrow(message);
    expect(() => evaluate(source, state)).toThrow(ExpressionError);
  });

  it('may take 100,000 steps', () => {
    expect(timed(() => evaluate('state.l.map(x, x + 1).size()', { l: numbers(100_000) }))).toBe(100_000);
  });

  it.each([
    ['a large list in its body', `state.l.all(x, [${'x,'.repeat(4_000)}x].size() > 0)`],
    ['a large body', `state.l.all(x, ${'true && '.repeat(1_900)}true)`],
    ['copies of the range', 'state.l.all(x, state.l.exists(y, true))'],
    ['comparisons of lists', 'state.l.all(x, state.l == state.copy)'],
    ['searches in lists', 'state.l.all(x, !(-1 in state.l))'],
    ['comparisons of texts', 'state.l.all(x, state.text == state.textCopy)'],
    ['orderings of texts', 'state.l.all(x, state.text <= state.textCopy)'],
    ['orderings of bytes', 'state.l.all(x, bytes(state.text) <= bytes(state.textCopy))'],
    ['sizes of texts', 'state.l.all(x, state.text.size() > 1)'],
    ['endings of texts', 'state.l.all(x, state.text.endsWith(state.textCopy))'],
    ['searches in texts', 'state.l.all(x, !state.text.contains("b"))'],
    ['patterns', 'state.l.all(x, !state.text.matches("b"))'],
    ['conversions', 'state.l.all(x, bytes(state.text) != b"")'],
  ])('is charged for %s, which take no step', (_, source) => {
    const l = numbers(50_000);
    const state = { l, copy: [...l], text, textCopy: `${text.slice(1)}a` };
    expect(() => timed(() => evaluate(source, state))).toThrow(
      /more work than one expression may|builds more than/,
    );
  });
});

describe('an evaluation that fails at every step and continues', () => {
  it.each([
    ['a missing key', 'x.a || '],
    ['what is no bool', 'x && '],
    ['a function for other types', '(x + "") || '],
    ['a conversion', 'int("") == 1 || '],
    ['a time', 'timestamp("x") == timestamp("x") || '],
    ['a valid time', 'timestamp("2024-01-01T00:00:00Z") == timestamp("2025-01-01T00:00:00Z") || '],
    ['a written time', 'string(timestamp("2024-01-01T00:00:00Z")) == "" || '],
  ])('for %s stops at a bound', (_, term) => {
    const source = `state.l.exists(x, ${term.repeat(150)}x)`;
    expect(() => timed(() => evaluate(source, { l: numbers(100_000) }))).toThrow(
      /more work than one expression may/,
    );
  });

  it('leaves stack traces as they were', () => {
    const before = Error.stackTraceLimit;
    expect(() => evaluate('state.missing')).toThrow(ExpressionError);
    expect(Error.stackTraceLimit).toBe(before);
  });
});

describe('an evaluation that would fill the memory', () => {
  const doubling = (start: string, times: number): string => {
    let source = start;
    for (let i = 0; i < times; i += 1) source = `[${source}].map(v${i}, v${i} + v${i})[0]`;
    return source;
  };

  it.each<[string, string, JsonObject]>([
    ['a text that doubles', doubling('"0123456789"', 30), {}],
    ['a list that doubles', doubling('[0, 1, 2]', 30), {}],
    ['bytes that double', `${doubling('b"0123456789"', 30)} == b""`, {}],
    ['texts in a list', 'state.l.map(x, state.text + "b")', { l: list, text }],
    ['joined texts', 'state.l.map(x, state.text).join("")', { l: list, text }],
    ['joined separators', '[0,1,2,3,4,5,6,7,8,9,0,1,2].map(x, "").join(state.text)', { text }],
    ['replaced texts', 'state.text.replace("a", state.text)', { text }],
    ['texts replaced between characters', 'state.text.replace("", "0123456789")', { text }],
    ['split texts', 'state.l.map(x, state.text.split("a"))', { l: list, text }],
    ['lists of lists', 'state.l.map(x, state.l + state.l)', { l: numbers(10_000) }],
    [
      'maps of maps',
      'state.l.map(x, {"a": x, "b": {"c": x, "d": x, "e": [x, x, x, x, x, x]}})',
      { l: numbers(100_000) },
    ],
  ])('stops at a bound: %s', (_, source, state) => {
    expect(() => timed(() => evaluate(source, state))).toThrow(/builds more than \d+ characters|more work/);
  });

  it('refuses a small result that is large as JSON', () => {
    expect(() => timed(() => evaluate('state.l.map(x, state.text)', { l: list, text }))).toThrow(
      /result has more than/,
    );
    const large = { l: numbers(1_000), big: numbers(10_000) };
    expect(() => timed(() => evaluate('state.l.map(x, state.big)', large))).toThrow(
      /result has more than 1000000 values/,
    );
    expect(() => timed(() => evaluate('{"a": state, "b": state}', { text: text.repeat(6) }))).toThrow(
      /characters/,
    );
  });

  it('hands on a large value of the state all the same', () => {
    expect(evaluate('state.text', { text: text.repeat(8) })).toHaveLength(8_000_000);
  });
});

describe('deep nesting', () => {
  it.each([
    ['parentheses', (n: number) => `${'('.repeat(n)}1${')'.repeat(n)}`],
    ['lists', (n: number) => `${'['.repeat(n)}1${']'.repeat(n)}`],
    ['maps', (n: number) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`],
    ['calls', (n: number) => `${'size('.repeat(n)}1${')'.repeat(n)}`],
    ['indexes', (n: number) => `${'state['.repeat(n)}1${']'.repeat(n)}`],
    ['conditionals', (n: number) => `${'true?1:'.repeat(n)}2`],
    ['sums', (n: number) => `${'1+'.repeat(n)}1`],
    ['selections', (n: number) => `state${'.a'.repeat(n)}`],
    ['negations', (n: number) => `${'!('.repeat(n)}true${')'.repeat(n)}`],
    ['loops', (n: number) => `${'[1].map(x, '.repeat(n)}1${')'.repeat(n)}`],
    ['methods', (n: number) => `"a"${'.trim()'.repeat(n)}`],
  ])('of %s is refused before anything overflows', (_, sourceOf) => {
    for (const depth of [250, 1_000, 16_000]) {
      const compiled = timed(() => compileExpression(sourceOf(depth)));
      expect(compiled).toMatchObject({ ok: false });
      expect(compiled.ok ? '' : compiled.message).toMatch(/split|longer than 16384|conditionals/);
    }
    const fine = compileExpression(sourceOf(30));
    expect(fine).toMatchObject({ ok: true });
  });

  it('is not what a long chain of || and && is', () => {
    expect(evaluate(`${'false || '.repeat(1_500)}true`)).toBe(true);
    expect(evaluate(`${'true && '.repeat(1_500)}false`)).toBe(false);
  });

  it('compiles and evaluates on a stack that is nearly used up, or says so', () => {
    const source = `${'('.repeat(60)}1${')'.repeat(60)}`;
    const fall = (): string => {
      try {
        return fall();
      } catch {
        const compiled = compileExpression(source);
        return compiled.ok ? 'compiles' : compiled.message;
      }
    };
    expect(['compiles', 'the expression is nested too deeply: split it']).toContain(fall());
  });

  it('of values is bounded in results and comparisons', () => {
    expect(evaluate('state.v', { v: deep(300) })).toBeDefined();
    expect(evaluate('state.v == state.w', { v: deep(300), w: deep(300) })).toBe(true);
    for (const levels of [600, 100_000]) {
      const state = { v: deep(levels), w: deep(levels) };
      expect(() => timed(() => evaluate('state.v', state))).toThrow(/nested deeper than 512/);
      expect(() => timed(() => evaluate('state.v == state.w', state))).toThrow(/nested deeper than 512/);
      expect(timed(() => compileTemplate(deep(levels)))).toMatchObject({ ok: false });
    }
  });
});

describe('large sources', () => {
  it.each([
    ['a text', `"${'a'.repeat(16_000)}"`],
    ['quotes', '"'.repeat(16_000)],
    ['triple quotes', '"""'.repeat(5_000)],
    ['raw quotes', 'r"'.repeat(8_000)],
    ['backslashes', `"${'\\'.repeat(16_000)}`],
    ['spaces', `${' '.repeat(16_000)}1`],
    ['comments', '//\n'.repeat(5_000)],
    ['openings', '('.repeat(16_000)],
    ['a list', `[${'1,'.repeat(8_000)}1]`],
    ['digits', '9'.repeat(16_000)],
    ['a name', 'a'.repeat(16_000)],
    ['operators', '-'.repeat(16_000)],
    ['dots', '.'.repeat(16_000)],
  ])('of %s compile or are refused in no time', (_, source) => {
    expect(timed(() => compileExpression(source)).ok).toBeDefined();
    expect(timed(() => compileTemplate(`\${{ ${source} }}`)).ok).toBeDefined();
  });

  it('beyond 16,384 characters are refused', () => {
    expect(compileExpression(`"${'a'.repeat(16_383)}"`)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/longer than 16384 characters/) as string,
    });
  });

  it('are scanned in linear time for the ends of their expressions', () => {
    for (const piece of ['${{', '${{ "', '$${{', '${{ { ', "'''${{", '}}${{ 1 ']) {
      expect(timed(() => compileTemplate(piece.repeat(100_000))).ok).toBeDefined();
    }
  });
});

it.each([
  ['a text', '"'],
  ['a triple-quoted text', '"""'],
  ['a raw text', "r'"],
  ['a comment', '//'],
  ['nothing', ''],
])('a template of megabytes that never closes %s is refused', (_, opening) => {
  for (const filling of ['a', '\\\\', '{', '😀']) {
    const value = `\${{ ${opening}${filling.repeat(2_000_000 / filling.length)}`;
    expect(timed(() => compileTemplate(value))).toMatchObject({ ok: false });
  }
});

describe('regular expressions', () => {
  const zigzag = 'ab'.repeat(20_000);

  it.each([
    ['(a+)+$', 'a'.repeat(50_000) + '!'],
    ['^(a|a)*$', 'a'.repeat(50_000) + '!'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(50_000)],
    ['(.*)(.*)(.*)(.*)(.*)[^a]', 'a'.repeat(50_000)],
    ['[ab]*a[ab]{20}[cd]', zigzag],
    ['[ab]*a[ab]{500}[cd]', zigzag],
    ['(x?){500}[cd]', 'x'.repeat(50_000)],
  ])('%s ends in time, with a value or at a bound', (pattern, subject) => {
    const value = timed(() => {
      try {
        return evaluate('state.s.matches(state.p)', { s: subject, p: pattern });
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionError);
        return 'refused';
      }
    });
    expect([false, 'refused']).toContain(value);
  });

  it('are bounded in length and in what their repetitions come to', () => {
    const matches = (p: string): JsonValue => timed(() => evaluate('"a".matches(state.p)', { p }));
    expect(() => matches('a'.repeat(1_001))).toThrow(/longer than 1000 characters/);
    for (const pattern of [
      '(a{100}){100}',
      '(a{0,900})'.repeat(10),
      '\\p{L}{99}'.repeat(90),
      '((a{30}){30}){3}',
      '[ab]{700}'.repeat(4),
    ]) {
      expect(() => matches(pattern)).toThrow(/more than 2000 instructions/);
    }
    expect(() => matches('('.repeat(1_000))).toThrow(/cannot be used/);
    expect(compileExpression(`state.x.matches("${'(a{100}){100}'}")`)).toMatchObject({ ok: false });
  });

  it('that differ at each step are compiled within the bounds', () => {
    const source = 'state.l.all(x, !"a".matches("(b{500})" + string(x)))';
    expect(() => timed(() => evaluate(source, { l: numbers(50_000) }))).toThrow(/more work/);
  });

  it('do not use up anything that a later compilation needs', () => {
    for (let i = 0; i < 500; i += 1) {
      expect(compileExpression(`state.x.matches("(b{500})${i}")`)).toMatchObject({ ok: true });
    }
  });

  it('serve ordinary filters over long lists', () => {
    const l = numbers(10_000).map((n) => `person${n}@example.com`);
    expect(evaluate('state.l.filter(x, x.matches("^person[0-9]+@example[.]com$")).size()', { l })).toBe(
      10_000,
    );
  });

  it('are measured with their repetitions written out', () => {
    expect(patternSize('abc')).toBe(4);
    expect(patternSize('a{900}')).toBeGreaterThan(900);
    expect(patternSize('(ab){10}')).toBeGreaterThan(20);
    expect(patternSize('\\p{L}[a-z{}]{3}')).toBeLessThan(10);
    expect(patternSize('((a{10}){10}){10}')).toBeGreaterThan(1_000);
  });
});

it('searches in time that grows with text and needle, not with their product', () => {
  const state = { text: text.slice(0, 400_000), needle: `${'a'.repeat(1_000)}b${'a'.repeat(100_000)}` };
  expect(timed(() => evaluate('state.text.contains(state.needle)', state))).toBe(false);
  expect(timed(() => evaluate('state.text.split(state.needle).size()', state))).toBe(1);
  const found = { text: `${state.text}b${state.needle}!`, needle: `${state.needle}!` };
  expect(timed(() => evaluate('state.text.contains(state.needle)', found))).toBe(true);
});

it.each(['int', 'uint', 'double', 'bool', 'timestamp', 'duration'])('%s() takes no long text', (name) => {
  const state = { digits: '9'.repeat(1_000_000) };
  expect(() => timed(() => evaluate(`string(${name}(state.digits))`, state))).toThrow(
    /more than 100 characters/,
  );
});

it('does not carry what one evaluation used into the next', () => {
  const compiled = compileExpression('state.l.map(x, x).size()');
  const scope = scopeOf({ l: numbers(60_000) });
  for (let i = 0; i < 3; i += 1) expect(compiled.ok && compiled.expression.evaluate(scope)).toBe(60_000);
});

describe('any text made of pieces of the language', () => {
  const pieces = [
    'state',
    'input',
    'outputs',
    '.x',
    '.l',
    '.m',
    '["x"]',
    '[0]',
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    ':',
    ',',
    '?',
    '+',
    '-',
    '*',
    '/',
    '%',
    '==',
    '<',
    '>=',
    '&&',
    '||',
    '!',
    ' in ',
    '1',
    '2.5',
    '3u',
    '"a"',
    "r'b'",
    'b"c"',
    'null',
    'true',
    '.map(v, ',
    '.filter(v, ',
    '.exists(v, ',
    '.all(v, ',
    'v',
    'has(',
    'size(',
    'int(',
    'string(',
    '.matches(',
    '.split(',
    '.join(',
    'timestamp(',
    'type(',
    'dyn(',
    '//',
    '\\n',
    '😀',
    '${{',
    '}}',
    '$',
    '"',
  ];
  const scope = scopeOf({ x: 1, l: [1, 'a', null, { x: 2 }], m: { x: { l: [] } } }, { input: { x: 'y' } });
  const outcome = (run: () => JsonValue): 'value' | ExpressionError => {
    try {
      expect(JSON.stringify(run())).toEqual(expect.any(String));
      return 'value';
    } catch (error) {
      return error as ExpressionError;
    }
  };
  const soup = array(constantFrom(...pieces), { maxLength: 14 }).map((all) => all.join(''));

  it('compiles or is refused, and gives JSON or an expression error', () => {
    assert(
      property(soup, (source) => {
        const expression = compileExpression(source);
        if (expression.ok) {
          const result = outcome(() => expression.expression.evaluate(scope));
          expect(result === 'value' || result instanceof ExpressionError).toBe(true);
        }
        const template = compileTemplate({ a: `x ${source}`, b: [`\${{${source}}}`] });
        if (template.ok) {
          const result = outcome(() => template.template.evaluate(scope));
          expect(result === 'value' || result instanceof ExpressionError).toBe(true);
        }
      }),
      { numRuns: lawCases(3_000) },
    );
  });
});
