import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/engine/index.js';

/** Small most of the time, and now and then up to `most`: each doubling is as likely as the one before. */
export const sizes = (most: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3))
    .map(([share, more]) => Math.min(most, Math.floor(most ** share) - 1 + more));

/** Keys that something could take for one of its own. */
const ODD_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '$map',

  '',
  ' ',
  '.',
  'a.b',
  'output.',
  'output.u0',
  'outputs',
  'errors.u0',
  'hitl.approved',
  'state',
  '${{ 1 }}',

  '0',
  '-1',
  '\u0000',
  '\ud800',
  '\u2028',
  'ı',
  'İ',
  'é',
  'e\u0301',
  '💥',
  '<<',
  '~',
  '!!',
  'a'.repeat(600),
] as const;

export const keys: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'l', 'n', 't') },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_KEYS) },
);

const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'a', 'text', '1', 'true', 'u0', '2024-01-01T00:00:00Z') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: sizes(100_000).map((length) => 'xy'.repeat(length / 2)) },
);

const numbers = fc.oneof(
  fc.integer({ min: -3, max: 10 }),
  fc.constantFrom(0.5, -0, 1e-300, 5e-324, 2 ** 53 - 1, 1 - 2 ** 53),
);

export const jsonValues: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    texts,
    numbers,
    fc.constantFrom<JsonValue>(true, false, null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 5 }) as fc.Arbitrary<JsonObject>,
    sizes(5_000).map((length) => Array.from({ length }, (_, index) => index)),
    sizes(300).map((levels) => {
      let value: JsonValue = 1;
      for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
      return value;
    }),
  ),
})).value;

export const jsonObjects: fc.Arbitrary<JsonObject> = fc.dictionary(keys, jsonValues, { maxKeys: 6 });

/** The input that most expressions here can read. */
export const inputs: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.record({
      n: fc.oneof(
        fc.integer({ min: 0, max: 9 }),
        numbers,
        fc.constantFrom(1e308, 2 ** 53 + 2, -(2 ** 63), 2 ** 64),
      ),
      t: texts,
      l: fc.oneof(
        sizes(60).map((length) => Array.from({ length }, (_, index) => index)),
        fc.array(jsonValues, { maxLength: 4 }),
      ),
      a: jsonValues,
    }),
    fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: jsonObjects }),
  )
  .map(([usual, odd]) => ({ ...usual, ...odd }));
