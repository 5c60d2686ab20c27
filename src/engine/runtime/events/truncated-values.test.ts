import { assert, constant, dictionary, integer, jsonValue, oneof, property, string } from 'fast-check';
import { atOnce } from '../../core/steps.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { bytesOfJson } from './json-bytes.js';
import { truncateLarge } from './truncated-values.js';

const MAX = 4_096;
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const text = (bytes: number) => 'x'.repeat(bytes - 2);
const truncate = (data: JsonObject) => atOnce(truncateLarge(data));

/** The value that a pointer points to. */
function at(data: JsonValue, pointer: string): JsonValue | undefined {
  let found: JsonValue | undefined = data;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    found = Object.getOwnPropertyDescriptor(found ?? {}, name)?.value as JsonValue | undefined;
  }
  return found;
}

describe('the bytes of a JSON value', () => {
  it('are those that it is written with, however large it is', () => {
    const large = integer({ min: 60_000, max: 140_000 }).map((length) => '😀'.repeat(length).slice(1));
    assert(
      property(oneof(jsonValue({ maxDepth: 4 }), large), (value) => {
        const all = { value, list: Array.from({ length: 20 }, () => value) } as JsonObject;
        expect(atOnce(bytesOfJson(all))).toBe(bytesOf(all));
      }),
      { numRuns: 50 },
    );
    const texts = Array.from({ length: 3 }, (_, n) => '\u{1F600}"\n'.repeat(50_000 + n));
    expect(atOnce(bytesOfJson({ texts }))).toBe(bytesOf({ texts }));
  });
});

describe('what is left of the data of an event', () => {
  it('is all of it where no value takes more than 4 KiB', () => {
    const data = { a: text(MAX), b: [1, 2], c: null };
    expect(truncate(data)).toMatchObject({ data, cut: null });
  });

  it('is without a value of one byte more, which is named with its size and its beginning', () => {
    const value = text(MAX + 1);
    const { data, cut: named } = truncate({ a: value, b: 1 });
    expect(data).toEqual({ b: 1 });
    expect(named).toEqual([{ pointer: '/a', bytes: MAX + 1, head: JSON.stringify(value).slice(0, 256) }]);
  });

  it('keeps what is small of an object, but never the half of a list', () => {
    const large = text(5_000);
    const { data, cut: named } = truncate({
      output: { 'a/b~c': large, deep: { large, small: 1 } },
      list: [large, 1],
    });
    expect(data).toEqual({ output: { deep: { small: 1 } } });
    expect(named?.map(({ pointer }) => pointer)).toEqual(['/output/a~1b~0c', '/output/deep/large', '/list']);
  });

  it('is without an object that is large for its many small fields, or has too many large ones', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, n]));
    const larges = Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, text(5_000)]));
    const { data, cut: named } = truncate({ many, larges });
    expect(data).toEqual({});
    expect(named?.map(({ pointer }) => pointer)).toEqual(['/many', '/larges']);
  });

  it('never holds more than 4 KiB in a field, and names by its pointer, size and beginning whatever it lacks', () => {
    const value = oneof(
      jsonValue({ maxDepth: 3 }),
      integer({ min: 1, max: 9_000 }).map((length) => 'é"'.repeat(length)),
      dictionary(string(), oneof(jsonValue(), constant('z'.repeat(6_000))), { maxKeys: 5 }),
    );
    assert(
      property(dictionary(string(), value, { maxKeys: 6 }), (given) => {
        const data = given as JsonObject;
        const before = JSON.stringify(data);
        const { data: left, cut: named, bytes } = truncate(data);
        for (const field of Object.values(left)) expect(bytesOf(field)).toBeLessThanOrEqual(MAX);
        for (const { pointer, bytes: size, head } of named ?? []) {
          const whole = JSON.stringify(at(data, pointer));
          expect([Buffer.byteLength(whole), whole.startsWith(head)]).toEqual([size, true]);
          expect([size > MAX, at(left, pointer)]).toEqual([true, undefined]);
        }
        expect(named === null).toBe(JSON.stringify(left) === before);
        expect(bytes + 200).toBeGreaterThanOrEqual(bytesOf(left));
        expect(JSON.stringify(data)).toBe(before);
      }),
    );
  });
});
