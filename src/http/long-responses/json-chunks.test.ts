import fc from 'fast-check';
import { jsonChunks } from './json-chunks.js';
import { isLongerThan } from './json-length.js';
import { JsonText } from './json-text.js';

/** A chunk is at most twice this unless it holds escapes, which write one character as six. */
const CHUNK_CHARS = 65_536;

function written(value: unknown): string {
  return [...jsonChunks(value)].join('');
}

/** Texts of about the length of a chunk, of units that could be torn apart: surrogate pairs, lone surrogates, escapes. */
const longTexts = fc
  .record({
    unit: fc.constantFrom('x', '"', '\\', '\n', '\u0000', 'é', '😀', '\ud83d', '\ude00', 'a😀', '\u2028'),
    chars: fc.integer({ min: CHUNK_CHARS - 3, max: 3 * CHUNK_CHARS }),
    shift: fc.constantFrom('', 'y', 'yy'),
  })
  .map(({ unit, chars, shift }) => shift + unit.repeat(Math.ceil(chars / unit.length)));

const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -0, 1e21, 0.1, undefined, ''),
    fc.string({ unit: 'binary' }),
    longTexts,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    // An array that is longer than a chunk, of short values.
    tie('value').map((item) => Array.from({ length: 9_000 }, (_, i) => (i === 7 ? item : i))),
  ),
}));

describe('the chunks of a JSON value', () => {
  it('are together what JSON.stringify makes of it, to the byte', () => {
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(value !== undefined);
        const chunks = [...jsonChunks(value)];
        const whole = JSON.stringify(value);
        expect(chunks.join('') === whole).toBe(true);
        // Each chunk is encoded separately.
        expect(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).equals(Buffer.from(whole))).toBe(
          true,
        );
      }),
      { numRuns: 60 },
    );
  });

  it('are together what JSON.stringify makes of a string of JSON inside of it', () => {
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(value !== undefined);
        const answer = { id: 1, content: [{ text: new JsonText(value) }] };
        const whole = JSON.stringify({ id: 1, content: [{ text: JSON.stringify(value) }] });
        expect(written(answer) === whole).toBe(true);
        expect(JSON.stringify(answer) === whole).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('leave out and replace what JSON leaves out and replaces', () => {
    const nothing = [undefined, () => 1, Symbol('s')];
    const value = {
      at: new Date(0),
      list: nothing,
      long: 'x'.repeat(100_000),
      a: nothing[1],
      b: undefined,
    };
    expect(written(value)).toBe(JSON.stringify(value));
    expect(written([value, nothing])).toBe(JSON.stringify([value, nothing]));
  });

  it('keep the digits of a number that was sent', () => {
    const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
    const value = { id: rawJSON('9'.repeat(100_000)), long: 'x'.repeat(100_000) };
    expect(written(value)).toBe(JSON.stringify(value));
  });

  it('are of bounded length, whatever the value is made of', () => {
    const ofText = { a: ['x'.repeat(1_000_000)], b: 'y'.repeat(65_537) };
    const ofMany = Array.from({ length: 60_000 }, (_, i) => ({ [`key${i}`]: [i, null] }));
    const deep = Array.from({ length: 200 }).reduce((inner: unknown) => [inner], 'x'.repeat(300_000));
    for (const value of [ofText, ofMany, deep, new JsonText(ofMany)]) {
      const lengths = [...jsonChunks(value)].map(({ length }) => length);
      expect(Math.max(...lengths)).toBeLessThan(3 * CHUNK_CHARS);
      expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThanOrEqual(CHUNK_CHARS);
    }
  });

  it('are made one after the other, as they are asked for', () => {
    const seen: number[] = [];
    const items = Array.from({ length: 100 }, (_, i) => ({
      text: 'x'.repeat(70_000),
      get seen() {
        seen.push(i);
        return i;
      },
    }));
    const chunks = jsonChunks(items);
    for (let i = 0; i < 5; i++) chunks.next();
    expect(Math.max(...seen)).toBeLessThan(10);
  });
});

describe('the length of a JSON value', () => {
  it('is at least about right, and looks at no more than it must', () => {
    expect(isLongerThan('x'.repeat(100), 100)).toBe(true);
    expect(isLongerThan({ a: ['x'.repeat(50)] }, 100)).toBe(false);
    expect(isLongerThan(new JsonText({ a: ['x'.repeat(200)] }), 100)).toBe(true);
    const endless = new Proxy(
      Array.from({ length: 1_000_000 }, () => 1),
      {
        get: (target, key) => {
          if (typeof key === 'string' && Number(key) > 1_000) throw new Error('looked too far');
          return Reflect.get(target, key) as unknown;
        },
      },
    );
    expect(isLongerThan({ endless }, 1_000)).toBe(true);
  });
});
