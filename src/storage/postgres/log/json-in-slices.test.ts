import fc from 'fast-check';
import type { JsonValue } from '../../../engine/core/json.js';
import { MAX_PIECE_CHARS, parseJson, parseLong } from './json-in-slices.js';

/** As it is parsed in pieces of so many characters, and how often it may be interrupted. */
function parsed(text: string, pieceChars: number): { readonly value: JsonValue; readonly yields: number } {
  const work = parseLong(text, pieceChars);
  for (let yields = 0; ; yields += 1) {
    const step = work.next();
    if (step.done === true) return { value: step.value, yields };
  }
}

const PIECES = fc.integer({ min: 16, max: 80 });

describe('a long text of JSON', () => {
  it('is the value that JSON.parse makes of it, however small the pieces are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), PIECES, (value, pieceChars) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parsed(text, pieceChars).value)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('is that with blanks in it, too', () => {
    fc.assert(
      fc.property(fc.jsonValue(), PIECES, (value, pieceChars) => {
        const text = ` ${JSON.stringify(value, null, '\t')}\n`;
        expect(parsed(text, pieceChars).value).toEqual(JSON.parse(text));
      }),
      { numRuns: 100 },
    );
  });

  it('has its strings whole, wherever an escape or a pair of surrogates is cut', () => {
    const parts = fc.array(fc.constantFrom('\\', '"', '\n', '\u0000', '\ud83d', '😀', 'ä', 'x'), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(parts, PIECES, (some, pieceChars) => {
        const value = [some.join(''), { [some.join('')]: some.join('') }];
        expect(parsed(JSON.stringify(value), pieceChars).value).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps keys that JSON.parse keeps, and the last of those that are the same', () => {
    const long = 'x'.repeat(100);
    const text = `{"a":"${long}","__proto__":{"b":1},"c":"${long}","a":2}`;
    const { value } = parsed(text, 20);
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each(['{"a":1', '["x', '[1 2]', `{"${'k'.repeat(50)}" 1}`, `[${'['.repeat(50)}`])(
    'is refused where it is none: %s',
    (text) => {
      expect(() => parsed(text, 16)).toThrow(SyntaxError);
    },
  );

  it('is interrupted often, and entered only where it is long', () => {
    const items = Array.from({ length: 1_000 }, (_, id) => ({ id, text: 'some text' }));
    const value = { items, long: 'x'.repeat(10_000), after: [1] };
    const { value: found, yields } = parsed(JSON.stringify(value), 1_000);
    expect(found).toEqual(value);
    expect(yields).toBeGreaterThan(40);
    expect(yields).toBeLessThan(80);
  });

  it('lets others have the event loop where it takes longer than a slice', async () => {
    const value = Array.from({ length: 400_000 }, (_, id) => ({ id, text: 'some text' }));
    const text = JSON.stringify(value);
    expect(text.length).toBeGreaterThan(MAX_PIECE_CHARS * 20);
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const found = await parseJson(text);
    clearImmediate(next);
    expect(JSON.stringify(found) === text).toBe(true);
    expect(turns).toBeGreaterThan(3);
  });

  it('is parsed at once where it is short', () => {
    expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
  });
});
