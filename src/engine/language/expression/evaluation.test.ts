import { ExpressionError } from '../../../errors/document-errors.js';
import { readCondition } from '../../core/turn/condition.js';
import { compileExpression } from './compile.js';
import { evaluate, scopeOf } from './testing/evaluate.js';

describe('numbers', () => {
  const state = { count: 3, half: 0.5, list: [10, 20, 30], i: 1 };

  it.each([
    ['state.count + 1', 4],
    ['1 + state.count', 4],
    ['state.count - 1', 2],
    ['10 - state.count', 7],
    ['state.count * 2', 6],
    ['2 * state.half', 1],
    ['state.count / 2', 1.5],
    ['3 / state.half', 6],
    ['state.count % 2', 1],
    ['7 % state.count', 1],
    ['state.count % state.half', 0],
    ['-state.count', -3],
    ['7 / 2', 3],
    ['7 % 2', 1],
    ['size(state.list) / 2', 1],
    ['size(state.list) * state.half', 1.5],
    ['1u + 2u', 3],
    ['int(state.count) + 1', 4],
    ['int("42") + 1', 43],
    ['double("1.5") + 1', 2.5],
    ['state.half + state.half', 1],
    ['0.0 * -1', 0],
  ])('computes %s', (source, value) => {
    expect(evaluate(source, state)).toBe(value);
  });

  it.each([
    'state.count > 1',
    '1 < state.count',
    'state.count >= 3',
    '3 <= state.count',
    'state.count == 3',
    '3 == state.count',
    'state.count != 4',
    'state.half < 1',
    '3 in [state.count]',
    'state.list == [10, 20, 30]',
    'state.list == [10.0, 20.0, 30.0]',
    '{"a": 1} == {"a": 1.0}',
    '1u == 1',
    '9007199254740993 > state.big',
    '9007199254740993 != state.big',
  ])('compares exactly between int and double: %s', (source) => {
    expect(evaluate(source, { ...state, big: 9007199254740992 })).toBe(true);
  });

  it('indexes lists by ints and by doubles that are whole', () => {
    expect(evaluate('state.list[0]', state)).toBe(10);
    expect(evaluate('state.list[state.i]', state)).toBe(20);
    expect(evaluate('state.list[int(state.i)]', state)).toBe(20);
    expect(evaluate('state.list[state.i + 1]', state)).toBe(30);
    expect(() => evaluate('state.list[state.half]', state)).toThrow(/nothing is at index 0.5/);
    expect(() => evaluate('state.list[3]', state)).toThrow(/nothing is at index 3/);
    expect(() => evaluate('state.list[-1]', state)).toThrow(ExpressionError);
  });

  it('gives ints as numbers up to 2^53 and refuses what lies beyond', () => {
    expect(evaluate('9007199254740992')).toBe(9007199254740992);
    expect(evaluate('-9007199254740992')).toBe(-9007199254740992);
    expect(() => evaluate('9007199254740993')).toThrow(/beyond 2\^53/);
    expect(() => evaluate('-9007199254740992 - 1')).toThrow(/beyond 2\^53/);
    expect(() => evaluate('[{"a": 9007199254740993}]')).toThrow(/beyond 2\^53/);
    expect(() => evaluate('9007199254740993 + state.half', state)).toThrow(/beyond 2\^53/);
    expect(() => evaluate('9223372036854775807 + 1')).toThrow(/overflow/);
    expect(evaluate('string(9007199254740993)')).toBe('9007199254740993');
  });

  it('never lets a BigInt out', () => {
    expect(evaluate('size(state.list)', state)).toBe(3);
    expect(evaluate('state.list.size()', state)).toBe(3);
    expect(evaluate('{"n": size("abc"), "l": [size(state.list)]}', state)).toEqual({ n: 3, l: [3] });
  });

  it('refuses NaN and the infinities as results', () => {
    expect(() => evaluate('state.count / 0', state)).toThrow(/Infinity/);
    expect(() => evaluate('0.0 / 0', state)).toThrow(/NaN/);
    expect(() => evaluate('[1.0 / 0.0]')).toThrow(/Infinity/);
    expect(() => evaluate('state.count % 0', state)).toThrow(/modulus by zero/);
    expect(() => evaluate('1 / 0')).toThrow(/divide by zero/);
  });

  it.each([
    'int("")',
    'int("0x10")',
    'int(" 1")',
    'double("")',
    'double("abc")',
    'double("NaN")',
    'uint("-1")',
  ])('refuses to convert %s', (source) => {
    expect(() => evaluate(source)).toThrow(ExpressionError);
  });
});

describe('lists, maps and texts', () => {
  const state = {
    people: [
      { name: 'Ann', age: 41, tags: ['a', 'b'] },
      { name: 'Bob', age: 17, tags: [] },
    ],
    nothing: null,
    text: 'Grüße 😀',
  };

  it.each([
    ['state.people.map(p, p.name)', ['Ann', 'Bob']],
    ['state.people.filter(p, p.age >= 18).map(p, p.name)', ['Ann']],
    ['state.people.map(p, p.age < 18, p.name)', ['Bob']],
    ['state.people.all(p, p.age > 1)', true],
    ['state.people.exists(p, p.age > 100)', false],
    ['state.people.exists_one(p, p.age > 18)', true],
    ['state.people.map(p, p.tags.map(t, p.name + t))', [['Anna', 'Annb'], []]],
    ['state.people.map(p, {"n": p.name})', [{ n: 'Ann' }, { n: 'Bob' }]],
    ['{"a": 1, "b": {"c": [1, 2.5, null]}}', { a: 1, b: { c: [1, 2.5, null] } }],
    ['{1: "one", 2: "two"}[1.0]', 'one'],
    ['{true: "yes"}', { true: 'yes' }],
    ['[1] + [2] + [3, 4]', [1, 2, 3, 4]],
    ['[] + []', []],
    ['{}', {}],
    ['state.nothing', null],
    ['state.nothing == null', true],
    ['has(state.nothing)', true],
    ['{"a": null}.a', null],
    ['has({"a": null}.a)', true],
    ['"a" in {"a": null}', true],
    ['state.text.size()', 7],
    ['size("")', 0],
    ['state.text.contains("ü")', true],
    ['state.text.startsWith("Gr") && state.text.endsWith("😀")', true],
    ['"a,b,,c".split(",")', ['a', 'b', '', 'c']],
    ['"a😀".split("")', ['a', '😀']],
    ['["a", "b"].join(", ")', 'a, b'],
    ['[].join()', ''],
    ['"aXbX".replace("X", "--")', 'a--b--'],
    ['" x ".trim() + "Ab".lowerAscii() + "Äb".upperAscii()', 'xabÄB'],
    ['"ann@example.com".matches("^[a-z]+@[a-z.]+$")', true],
    ['"n: " + string(1.5) + string(2) + string(true)', 'n: 1.52true'],
    ['type(state.text) == string && type(state.people) == list', true],
    ['state.people[0].age > 18 ? "adult" : "minor"', 'adult'],
    ['(true ? state.people[0] : state.people[1]).name', 'Ann'],
    ['state.people[0] == state.people[0] && state.people[0] != state.people[1]', true],
  ])('evaluates %s', (source, value) => {
    expect(evaluate(source, state)).toEqual(value);
  });

  it('lets a list that grew be used again', () => {
    expect(evaluate('[[1, 2].map(x, x)].map(a, [a + [3], a + [4], a + a])', {})).toEqual([
      [
        [1, 2, 3],
        [1, 2, 4],
        [1, 2, 1, 2],
      ],
    ]);
  });

  it('hands on what came from the state as it is, without a copy', () => {
    expect(evaluate('state.people', state)).toBe(state.people);
    expect(evaluate('[state.people]', state)).toEqual([state.people]);
    expect((evaluate('[state.people]', state) as unknown[])[0]).toBe(state.people);
  });

  it('absorbs a failure where || and && have a value without it, as CEL does', () => {
    expect(evaluate('state.missing > 1 || true')).toBe(true);
    expect(evaluate('state.missing > 1 && false')).toBe(false);
    expect(() => evaluate('state.missing > 1 || false')).toThrow(/"missing" is missing/);
  });

  it.each([
    ['bytes', 'b"abc"'],
    ['a type', 'type(1)'],
    ['a type', '[int]'],
  ])('refuses %s as a result: %s', (kind, source) => {
    expect(() => evaluate(source)).toThrow(new RegExp(`value is .*${kind}.*JSON cannot hold`));
  });

  it('reads the fields of a timestamp in UTC', () => {
    const at = 'timestamp("2024-03-31T02:30:15.250Z")';
    expect(
      evaluate(
        `[${at}.getFullYear(), ${at}.getMonth(), ${at}.getDate(), ${at}.getDayOfMonth(), ${at}.getDayOfWeek(),` +
          ` ${at}.getDayOfYear(), ${at}.getHours(), ${at}.getMinutes(), ${at}.getSeconds(), ${at}.getMilliseconds()]`,
      ),
    ).toEqual([2024, 2, 31, 30, 0, 90, 2, 30, 15, 250]);
    expect(evaluate(`${at} + duration("1h") > ${at} && duration("90m").getHours() == 1`)).toBe(true);
  });
});

describe('failures', () => {
  it('name the expression, the missing key and how to test for it', () => {
    const failure = failureOf('state.order.total > 100', { order: {} });
    expect(failure).toBeInstanceOf(ExpressionError);
    expect(failure).toMatchObject({ code: 'expression', retryable: false });
    expect(failure.message).toBe(
      'The expression `state.order.total > 100` has no value: "total" is missing; test it first with has(state.order.total).',
    );
    expect(failureOf('state["output.x"] == 1').message).toContain(
      '"output.x" is missing; test it first with "output.x" in',
    );
  });

  it.each([
    ['state.a + "x"', /\+ is not defined for a number and a text: convert/],
    ['state.a > "x"', /> is not defined for a number and a text/],
    ['state.a.b', /"b" is missing/],
    ['state.a && true', /combine is not true or false/],
    ['state.a ? 1 : 2', /before \? is not true or false/],
    ['!state.a', /! is not defined for a number/],
    ['state.a.map(x, x)', /neither a list nor a map/],
    ['"a" in state.a', /in is not defined/],
    ['size(state.a)', /size is not defined for a number/],
    ['state[null]', /neither a text, a number nor a bool/],
    ['{null: 1}', /a key of a map/],
    ['{1.5: 1}', /a key of a map/],
    ['{"a": 1, "a": 2}', /twice/],
    ['{"1": 1, 1: 2}', /two keys/],
    ['"x".matches("a" + "(")', /regular expression cannot be used/],
    ['[1].join()', /join needs a list of texts/],
  ])('say what is wrong with %s', (source, message) => {
    const failure = failureOf(source, { a: 1 });
    expect(failure).toBeInstanceOf(ExpressionError);
    expect(failure.message).toMatch(message);
  });

  it('of the state itself become expression errors too', () => {
    const broken = () => {
      throw new Error('the store is gone');
    };
    const state = { get: broken, has: broken, keys: broken };
    expect(() => evaluate('state.x', {}, { state })).toThrow(ExpressionError);
    expect(() => evaluate('state', {}, { state })).toThrow(ExpressionError);
    expect(() => evaluate('state.map(k, k)', {}, { state })).toThrow(ExpressionError);
  });

  it('are shortened when the expression is long', () => {
    const failure = failureOf(`state.x == "${'a'.repeat(5_000)}"`);
    expect(failure.message.length).toBeLessThan(400);
  });
});

it('is a condition only when its value is true or false', () => {
  const conditionOf = (source: string) => {
    const compiled = compileExpression(source);
    if (!compiled.ok) throw new Error(compiled.message);
    return readCondition(compiled.expression, scopeOf({ amount: 150 }));
  };
  expect(conditionOf('state.amount > 100')).toBe(true);
  expect(() => conditionOf('state.amount')).toThrow(ExpressionError);
});

function failureOf(source: string, state = {}): Error {
  try {
    evaluate(source, state);
  } catch (error) {
    return error as Error;
  }
  throw new Error(`${source} has a value`);
}
