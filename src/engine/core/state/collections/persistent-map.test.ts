import fc from 'fast-check';
import { PersistentMap } from './persistent-map.js';
import { lawCases } from '../../../../../test/support/law-cases.js';

const numRuns = lawCases(2_000);

type Change =
  | { readonly do: 'set'; readonly key: string; readonly value: number }
  | { readonly do: 'delete'; readonly key: string };

const key = fc.integer({ min: 0, max: 19 }).map((n) => `key${n}`);
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('set' as const), key, value: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
);
const changes = fc.array(change, { maxLength: 60 });

type Numbers = PersistentMap<string, number>;

const applied = (map: Numbers, all: readonly Change[]): Numbers =>
  all.reduce(
    (before, one) => (one.do === 'set' ? before.set(one.key, one.value) : before.delete(one.key)),
    map,
  );

const modelOf = (all: readonly Change[]): Map<string, number> => {
  const model = new Map<string, number>();
  for (const one of all) {
    model.delete(one.key);
    if (one.do === 'set') model.set(one.key, one.value);
  }
  return model;
};

const sorted = (entries: Iterable<readonly [string, number]>) =>
  [...entries].sort(([a], [b]) => (a < b ? -1 : 1));

describe('a persistent map', () => {
  it('holds what was set and not deleted since, however many entries it has', () => {
    fc.assert(
      fc.property(changes, (all) => {
        const map = applied(PersistentMap.empty(), all);
        const model = modelOf(all);
        expect(sorted(map)).toEqual(sorted(model));
        expect(map.size).toBe(model.size);
        for (let n = 0; n < 20; n++) {
          expect(map.get(`key${n}`)).toBe(model.get(`key${n}`));
          expect(map.has(`key${n}`)).toBe(model.has(`key${n}`));
        }
        const pairs: [string, number][] = [];
        map.forEach((value, name) => pairs.push([name, value]));
        expect(pairs).toEqual([...map.entries()]);
        expect([...map.keys()]).toEqual(pairs.map(([name]) => name));
        expect([...map.values()]).toEqual(pairs.map(([, value]) => value));
        expect(map.some((value, name) => value === 3 && name === 'key1')).toBe(model.get('key1') === 3);
      }),
      { numRuns },
    );
  });

  it('keeps every earlier version as it was', () => {
    fc.assert(
      fc.property(changes, changes, (before, after) => {
        const map = applied(PersistentMap.empty(), before);
        const held = [...map];
        applied(map, after);
        applied(map.asMutable(), after);
        map.merge(applied(PersistentMap.empty(), after));
        expect([...map]).toEqual(held);
      }),
      { numRuns },
    );
  });

  it('is the same whether it was changed in place, merged, made of a list or changed step by step', () => {
    fc.assert(
      fc.property(changes, changes, (before, after) => {
        const from = applied(PersistentMap.empty(), before);
        const byStep = applied(from, after);
        const inPlace = from.asMutable();
        for (const one of after) {
          if (one.do === 'set') inPlace.set(one.key, one.value);
          else inPlace.delete(one.key);
        }
        expect(sorted(inPlace.asImmutable())).toEqual(sorted(byStep));
        expect(sorted(PersistentMap.of(byStep))).toEqual(sorted(byStep));
        const over = applied(PersistentMap.empty(), after);
        expect(sorted(from.merge(over))).toEqual(sorted(new Map([...from, ...over])));
        expect(sorted(from.map((value, name) => value + name.length))).toEqual(
          sorted([...from].map(([name, value]) => [name, value + name.length])),
        );
      }),
      { numRuns },
    );
  });

  it('of few entries has them in the order in which they were last set', () => {
    const map = PersistentMap.of<number, string>([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
    expect([...map.set(1, 'd').keys()]).toEqual([2, 3, 1]);
    expect([...map.delete(2).set(2, 'e').keys()]).toEqual([1, 3, 2]);
    expect(map.delete(9)).toBe(map);
  });

  it('that loses its last entry is the empty one', () => {
    const many = PersistentMap.of(Array.from({ length: 30 }, (_, n) => [n, n] as const));
    let left = many;
    for (let n = 0; n < 30; n++) left = left.delete(n);
    expect(left).toBe(PersistentMap.empty());
    expect(many.clear()).toBe(PersistentMap.empty());
    expect(many.size).toBe(30);
  });

  it('sets what becomes of an entry, or of what stands for one that is not there', () => {
    const map = PersistentMap.of<string, number>([['a', 1]]);
    expect([...map.update('a', 10, (n) => n + 1)]).toEqual([['a', 2]]);
    expect(map.update('b', 10, (n) => n + 1).get('b')).toBe(11);
  });
});
