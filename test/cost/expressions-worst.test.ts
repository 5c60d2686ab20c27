import { array, assert, constantFrom, integer, property } from 'fast-check';
import type { JsonObject } from '../../src/engine/core/json.js';
import { compileExpression } from '../../src/engine/language/expression/compile.js';
import { scopeOf } from '../../src/engine/language/expression/testing/evaluate.js';

/** About 50 ms where they were weighed. Eight times that on a machine that is slower, and busy with other things. */
const MOST_MS = 400;

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);
const texts = (length: number): string[] => numbers(length).map((n) => `x${n}`);
const keys = (length: number): JsonObject => Object.fromEntries(numbers(length).map((n) => [`k${n}`, n]));
const objects = (length: number): JsonObject[] => numbers(length).map((n) => ({ a: { b: [n, `x${n}`] } }));
/** As it comes from JSON, and not put together of pieces. */
const flat = (text: string): string => JSON.parse(JSON.stringify(text)) as string;
const deep = (levels: number): string => `${'[1].all(x, '.repeat(levels)}true${')'.repeat(levels)}`;

const l = numbers(50_000);
const MILLION = 1_000_000;
const text = flat('a'.repeat(MILLION));

const WORST: readonly (readonly [string, string, JsonObject])[] = [
  [
    'nested maps',
    'state.l.map(a, state.l.map(b, state.l.map(c, state.l.map(d, a + b + c + d))))',
    { l: numbers(17) },
  ],
  ['loops in loops in loops', `state.l.all(y, ${deep(30)})`, { l }],
  ['a large body', `state.l.all(x, ${'state.o.p.q && '.repeat(100)}true)`, { l, o: { p: { q: true } } }],
  ['a large list in the body', `state.l.all(x, [${'x,'.repeat(4_000)}x].size() > 0)`, { l }],
  [
    'long names',
    `state.l.all(x, has(state.${'a'.repeat(4_000)}.b) || state.${'a'.repeat(4_000)}.b.c.d || true)`,
    { l },
  ],
  ['failures at each step', `state.l.exists(x, ${'x.a || '.repeat(100)}x)`, { l }],
  ['what is no bool at each step', `state.l.exists(x, ${'x || '.repeat(100)}x)`, { l }],
  [
    'texts that double',
    `${numbers(24).reduce((source) => `[${source}].map(v, v + v)[0]`, '"ab"')}.size()`,
    {},
  ],
  [
    'upper case of large texts',
    'state.t.upperAscii().lowerAscii().size()',
    { t: flat('aBcD'.repeat(MILLION)) },
  ],
  ['upper case beyond ASCII', 'state.t.upperAscii().size()', { t: flat('aéB€'.repeat(MILLION)) }],
  ['replacing', 'state.t.replace("a", "bc").size()', { t: flat('ab'.repeat(300_000)) }],
  ['replacing between characters', 'state.t.replace("", "bc").size()', { t: flat('ab'.repeat(200_000)) }],
  ['joining', 'state.l.join("").size()', { l: Array<string>(500_000).fill('ab') }],
  ['splitting', 'state.t.split("").size()', { t: text }],
  ['searching', 'state.l.all(x, !state.t.contains("aaaaaaaaaaaaaaaaaaaaaaaab"))', { l, t: text }],
  ['searching for much', `state.l.all(x, !state.t.contains("${'a'.repeat(500)}b"))`, { l, t: text }],
  ['comparing texts', 'state.l.all(x, state.t == state.u)', { l, t: text, u: flat(text) }],
  ['comparing lists', 'state.l.all(x, state.l == state.m)', { l, m: [...l] }],
  ['comparing objects', 'state.l.all(x, state.o == state.p)', { l, o: objects(5_000), p: objects(5_000) }],
  ['comparing maps', 'state.l.all(x, state.o == state.p)', { l, o: keys(50_000), p: keys(50_000) }],
  ['looking through lists', 'state.l.all(x, !("a" in state.m))', { l, m: texts(50_000) }],
  ['counting keys', 'state.l.all(x, state.o.size() > 0)', { l, o: keys(50_000) }],
  ['going over keys', 'state.l.all(x, state.o.all(key, true))', { l, o: keys(50_000) }],
  [
    'a pattern on a long text',
    'state.t.matches("(.*)(.*)(.*)(.*)(.*)[^a]")',
    { t: flat('a'.repeat(50_000)) },
  ],
  ['a large pattern', 'state.t.matches("[ab]*a[ab]{200}[cd]")', { t: flat('abaabbb'.repeat(2_000)) }],
  ['a pattern at each step', 'state.l.all(x, x.matches("^x[0-9]+$"))', { l: texts(100_000) }],
  ['new patterns', 'state.l.all(x, !"a".matches("(b{500})" + string(x)))', { l }],
  ['times', 'state.l.all(x, timestamp("2024-01-01T00:00:00Z") < timestamp("2025-01-01T00:00:00Z"))', { l }],
  ['conversions', 'state.l.all(x, string(x * 1.1) != "" && int("123456789012") > 4)', { l }],
  ['bytes', 'state.l.all(x, bytes(state.t) != b"")', { l, t: flat('€'.repeat(MILLION)) }],
  ['a large result', 'state.o', { o: objects(100_000) }],
  ['a result that is a large map', 'state.o', { o: keys(300_000) }],
  ['a result of many keys', 'state.l.map(x, {"a": x})', { l: numbers(100_000) }],
];

/** Ms of CPU time: what else runs on the machine does not count. The least of some rounds, since noise only adds. */
function leastMs(run: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < 4 && least >= MOST_MS; round++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

it.each(WORST)('the worst that an expression can do takes little time: %s', (_, source, state) => {
  const compiled = compileExpression(source);
  if (!compiled.ok) throw new Error(compiled.message);
  const costs = new Set<number>();
  const ms = leastMs(() => {
    const meter = { steps: 0 };
    try {
      compiled.expression.evaluate(scopeOf(state, { meter }));
    } catch {
      // It came to a bound.
    }
    costs.add(meter.steps);
  });
  expect(ms).toBeLessThan(MOST_MS);
  for (const cost of costs) expect(cost).toBeLessThan(80_000_000);
});

it('allows one pass over a hundred thousand items, and says what to do where it is too much', () => {
  const state = { l: numbers(100_000) };
  const value = (source: string): unknown => {
    const compiled = compileExpression(source);
    return compiled.ok ? compiled.expression.evaluate(scopeOf(state)) : compiled.message;
  };
  expect(value('state.l.filter(x, x >= 0).size()')).toBe(100_000);
  expect(() => value('state.l.all(x, !(-1 in state.l))')).toThrow(
    'it takes more work than one expression may (50000000 weighted steps, about 50 ms): do less in it, or the work in a foreach or a unit',
  );
});

it('costs the same each time, whatever it is and whatever ran before', () => {
  const pieces = constantFrom(
    'state.l.map(x, x + 1).size()',
    'state.l.exists(x, x.a || x > 3)',
    'state.t.split("a").join("b").upperAscii().size()',
    'state.o == state.o',
    'state.t.matches("(a|b)+" + string(state.l.size()))',
    'has(state.o.missing) || state.o.missing',
    'state',
    'timestamp("2024-01-01T00:00:00Z").getFullYear()',
  );
  const costOf = (source: string, state: JsonObject): number => {
    const meter = { steps: 0 };
    const compiled = compileExpression(source);
    try {
      if (compiled.ok) compiled.expression.evaluate(scopeOf(state, { meter }));
    } catch {
      // What failed cost something too.
    }
    return meter.steps;
  };
  assert(
    property(array(pieces, { minLength: 1, maxLength: 4 }), integer({ min: 0, max: 50 }), (sources, size) => {
      const state = (): JsonObject => ({ l: numbers(size), t: 'ab'.repeat(size), o: { a: [size], b: 'x' } });
      const source = `[${sources.join(', ')}]`;
      const first = costOf(source, state());
      expect(first).toBeGreaterThan(0);
      expect(costOf(source, state())).toBe(first);
    }),
    { numRuns: 200 },
  );
});
