import fc from 'fast-check';
import type { JsonValue } from '../../../engine/core/json.js';
import { joinJson, MAX_PIECE_CHARS, splitJson, type JsonPieces } from './json-pieces.js';

function join(pieces: JsonPieces): { value: JsonValue; interruptions: number } {
  const work = joinJson(pieces);
  for (let interruptions = 0; ; interruptions++) {
    const step = work.next();
    if (step.done === true) return { value: step.value, interruptions };
  }
}

function textsOf(pieces: JsonPieces): readonly string[] {
  if (typeof pieces === 'string') return [pieces];
  if ('longString' in pieces) return [];
  return pieces.parts.flatMap((part) => (typeof part === 'string' ? [part] : textsOf(part[1])));
}

/** Small values, some of them many times over or around one that is long. */
const values = fc.oneof(
  fc.jsonValue(),
  fc
    .tuple(fc.jsonValue(), fc.nat(3), fc.integer({ min: 1, max: 20_000 }))
    .map(([value, kind, count]): unknown => {
      if (kind === 0) return Array.from({ length: count }, () => value);
      if (kind === 1) return [value, 'x'.repeat(count * 10), value];
      if (kind === 2) return { before: value, large: { text: 'é'.repeat(count * 10), value }, after: [] };
      return Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`key ${i}`, i % 3 === 0 ? value : i]),
      );
    }),
) as fc.Arbitrary<JsonValue>;

describe('a JSON value in pieces', () => {
  it('is the same value when it is joined', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(join(splitJson(JSON.parse(text) as JsonValue)).value) === text).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('is one text while it is small', () => {
    for (const value of [null, 'x', 1, [], {}, { a: [{}] }]) {
      expect(splitJson(value)).toBe(JSON.stringify(value));
    }
  });

  it('has texts of bounded length, and is joined text by text', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => ({ id: i, text: 'some text' }));
    const long = 'x'.repeat(1_000_000);
    const value = { many, long, after: 1 };
    const texts = textsOf(splitJson(value));
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(MAX_PIECE_CHARS + 2);
    expect(texts.length).toBeGreaterThan(10);
    const { value: joined, interruptions } = join(splitJson(value));
    expect(JSON.stringify(joined) === JSON.stringify(value)).toBe(true);
    expect(interruptions).toBeGreaterThanOrEqual(texts.length);
  });

  it('is not parsed where it is a long string', () => {
    const longString = '"é😀\n'.repeat(100_000);
    expect(splitJson(longString)).toEqual({ longString });
    expect(join(splitJson([longString, 1])).value).toEqual([longString, 1]);
  });

  it('keeps a key that JSON.parse keeps', () => {
    const text = `{"a":"${'x'.repeat(300_000)}","__proto__":{"b":1},"c":"${'y'.repeat(300_000)}"}`;
    const value = JSON.parse(text) as JsonValue;
    const joined = join(splitJson(value)).value;
    expect(JSON.stringify(joined)).toBe(text);
    expect(Object.getPrototypeOf(joined)).toBe(Object.prototype);
  });
});
