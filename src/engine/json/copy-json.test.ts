import { anything, assert, jsonValue, pre, property } from 'fast-check';
import { copyJson, type JsonLimits } from './copy-json.js';

function copied(value: unknown): unknown {
  const result = copyJson(value);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

function problemOf(value: unknown, limits?: JsonLimits): string {
  const result = copyJson(value, limits);
  if (result.ok) throw new Error('was copied');
  return result.problem;
}

function nested(levels: number): unknown {
  let value: unknown = 'core';
  for (let i = 0; i < levels; i += 1) value = { in: value };
  return value;
}

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

describe('a JSON copy', () => {
  test('of any JSON value equals what JSON itself would carry, deeply frozen, and leaves the original alone', () => {
    assert(
      property(jsonValue(), (value) => {
        const before = JSON.stringify(value);
        const hasProtoKey = before.includes('"__proto__"');
        pre(!hasProtoKey);
        const copy = copied(value);
        expect(JSON.stringify(copy)).toBe(before);
        expect(isDeeplyFrozen(copy)).toBe(true);
        expect(Object.is(copy, value)).toBe(
          (typeof value !== 'object' || value === null) && !Object.is(value, -0),
        );
      }),
    );
  });

  test('shares nothing with the original that could change', () => {
    const original = { list: [{ n: 1 }] };
    const copy = copied(original);
    original.list[0]!.n = 2;
    original.list.push({ n: 3 });
    expect(copy).toEqual({ list: [{ n: 1 }] });
  });

  test('turns undefined into null, and leaves out a key whose value is undefined', () => {
    expect(copied(undefined)).toBeNull();
    expect(copied([1, undefined])).toEqual([1, null]);
    expect(Object.keys(copied({ a: undefined, b: 1 }) as object)).toEqual(['b']);
  });

  test('honours toJSON: a Date is its ISO string, a class instance what it says of itself', () => {
    expect(copied({ at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
    expect(copied({ toJSON: (key: string) => `as ${key}` })).toBe('as ');
    expect(copied({ price: { toJSON: (key: string) => ({ of: key }) } })).toEqual({ price: { of: 'price' } });
    expect(copied(new URL('http://unit.example/'))).toBe('http://unit.example/');
  });

  test('takes instances by their own fields, boxed primitives by their value, and -0 as 0', () => {
    class Invoice {
      constructor(readonly amount: number) {}
    }
    expect(copied(new Invoice(5))).toEqual({ amount: 5 });
    expect(copied(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
    expect(copied([new Number(1), new String('s'), new Boolean(false)])).toEqual([1, 's', false]);
    expect(Object.is(copied(-0), 0)).toBe(true);
  });

  test('keeps keys that name members of every object as plain keys', () => {
    const copy = copied(JSON.parse('{"constructor":1,"toString":2,"hasOwnProperty":3}')) as object;
    expect(Object.entries(copy)).toEqual([
      ['constructor', 1],
      ['toString', 2],
      ['hasOwnProperty', 3],
    ]);
  });

  test.each<[string, unknown, string]>([
    ['a function', { run: () => 1 }, 'is not JSON: a function at run'],
    ['a symbol', [Symbol('s')], 'is not JSON: a symbol at [0]'],
    ['a BigInt', { total: 1n }, 'is not JSON: a BigInt at total'],
    ['NaN', { a: { 'b c': [0, Number.NaN] } }, 'is not JSON: NaN at a["b c"][1]'],
    ['an infinity', -Infinity, 'is not JSON: -Infinity at its top'],
    ['an invalid date', { at: new Date(Number.NaN) }, 'is not JSON: an invalid Date at at'],
    ['a map', { m: new Map() }, 'is not JSON: a Map (use Object.fromEntries) at m'],
    ['a set', new Set(), 'is not JSON: a Set (use an array) at its top'],
    ['a promise', { p: Promise.resolve() }, 'is not JSON: a Promise (await it) at p'],
    ['an error', new Error('x'), 'is not JSON: an Error (throw it) at its top'],
    ['bytes', new Uint8Array(2), 'is not JSON: binary data (use base64) at its top'],
    ['the key __proto__', JSON.parse('{"a":{"__proto__":{}}}'), 'has a key that is refused at a.__proto__'],
  ])('refuses %s and says where it is', (_name, value, problem) => {
    expect(problemOf(value)).toBe(problem);
  });

  test('names the location of a fault that comes after nested values, too', () => {
    expect(problemOf({ a: { b: { c: 1 } }, d: [[1], 2n] })).toBe('is not JSON: a BigInt at d[1]');
  });

  test('finds a cycle, and takes an object that merely stands in two places', () => {
    const ring: { list: unknown[] } = { list: [] };
    ring.list.push({ back: ring });
    expect(problemOf(ring)).toBe('is not JSON: a cycle at list[0].back');
    const shared = { n: 1 };
    expect(copied({ a: shared, b: [shared] })).toEqual({ a: { n: 1 }, b: [{ n: 1 }] });
  });

  test('goes 256 levels deep and no deeper', () => {
    expect(copied(nested(256))).toEqual(nested(256));
    expect(problemOf(nested(257))).toMatch(/^is nested too deeply: more than 256 levels at in\./);
    expect(problemOf(nested(100_000))).toMatch(/^is nested too deeply/);
  });

  test('holds at most as many values as its limit says, shared objects and sparse arrays counted in full', () => {
    expect(copyJson([1, 2, 3], { maxDepth: 9, maxNodes: 4, maxKeys: 0 }).ok).toBe(true);
    expect(problemOf([1, 2, 3], { maxDepth: 9, maxNodes: 3, maxKeys: 0 })).toMatch(
      /^is too large: more than 3 values/,
    );
    let bomb: unknown = 'boom';
    for (let i = 0; i < 100; i += 1) bomb = [bomb, bomb];
    expect(problemOf(bomb)).toMatch(/^is too large/);
    const sparse: unknown[] = [];
    sparse.length = 4_000_000_000;
    expect(problemOf(sparse)).toMatch(/^is too large/);
  });

  test('holds four hundred thousand items, but not that many keys, wherever they lie', () => {
    const items = Array.from({ length: 400_000 }, (_, item) => item);
    expect(copied({ items })).toEqual({ items });
    const rows = Array.from({ length: 25_000 }, (_, id) => ({ id, name: 'n' }));
    expect(copyJson(rows).ok).toBe(true);
    expect(problemOf({ rows, one: { more: 1 } })).toMatch(
      /^is too large: more than 50000 keys in its objects \(use lists, .*\)/,
    );
    expect(problemOf([{ a: 1, b: 2 }], { maxDepth: 9, maxNodes: 9, maxKeys: 1 })).toMatch(/more than 1 keys/);
  });

  test('survives a getter and a toJSON that throw, without repeating what they say', () => {
    const hostile = {
      a: {
        get b(): never {
          throw new Error('password');
        },
      },
    };
    expect(problemOf(hostile)).toBe('is not JSON: it cannot be read at a.b');
    const throwing = {
      toJSON: () => {
        throw new Error('password');
      },
    };
    expect(problemOf([throwing])).toBe('is not JSON: it cannot be read at [0]');
  });

  test('copies what is small and plain as it copies all else', () => {
    const limits = { maxDepth: 256, maxNodes: 500_000, maxKeys: 50_000 };
    const same = (value: unknown): void => expect(copyJson(value)).toEqual(copyJson(value, limits));
    const withEverything = { withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true };
    assert(property(anything(withEverything), same));
    for (const depth of [7, 8, 9]) same(nested(depth));
    for (const length of [98, 99, 100, 101])
      same(Array.from({ length }, (_, index) => ({ [`k${index}`]: -0 })));
    same(Object.create({ inherited: 1 }));
    same(JSON.parse('{"a":{"__proto__":1}}'));
  });

  test('freezes all of a small copy, and shares none of it', () => {
    const given = { list: [{ a: 1 }], none: undefined };
    const copy = copied(given) as typeof given;
    expect([copy, copy.list, copy.list[0]].every((part) => Object.isFrozen(part))).toBe(true);
    given.list[0]!.a = 2;
    expect(copy).toStrictEqual({ list: [{ a: 1 }] });
  });
});
