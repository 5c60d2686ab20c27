import { assert, jsonValue, property } from 'fast-check';
import type { JsonValue } from '../core/json.js';
import { adoptJson } from './adopt-json.js';
import { copyJson } from './copy-json.js';

const parse = (text: string): JsonValue => JSON.parse(text) as JsonValue;

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

/** Such a key is refused, as below. */
const allowed = jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__"'));

describe('adopted JSON', () => {
  test('is what a copy would be, frozen as deeply, and no copy', () => {
    assert(
      property(allowed, (value) => {
        const parsed = parse(JSON.stringify(value));
        const adopted = adoptJson(parsed);
        expect(adopted).toEqual(copyJson(parse(JSON.stringify(value))));
        expect(adopted.ok && adopted.value === parsed && isDeeplyFrozen(adopted.value)).toBe(true);
      }),
    );
  });

  test.each([
    ['a key that is refused', '{"a":[{"__proto__":1}]}'],
    ['a number beyond all numbers', '{"a":{"b":[1,1e999]}}'],
    ['one level too many', `${'['.repeat(257)}${']'.repeat(257)}`],
    ['too many values', `[${'0,'.repeat(500_000)}0]`],
    ['too many keys', `[${Array.from({ length: 50_001 }, (_, key) => `{"${key}":0}`).join()}]`],
  ])('with %s is refused in the words of a copy', (_name, text) => {
    const refused = adoptJson(parse(text));
    expect(refused.ok).toBe(false);
    expect(refused).toEqual(copyJson(parse(text)));
  });

  test('is as deep, as many values and as many keys as a copy may be', () => {
    for (const text of [
      `${'['.repeat(256)}${']'.repeat(256)}`,
      `[${'0,'.repeat(499_998)}0]`,
      `[${Array.from({ length: 50_000 }, (_, key) => `{"${key}":0}`).join()}]`,
    ]) {
      expect([adoptJson(parse(text)).ok, copyJson(parse(text)).ok]).toEqual([true, true]);
    }
  });

  test('has no negative zero', () => {
    expect(adoptJson(parse('{"a":[-0]}'))).toEqual({ ok: true, value: { a: [0] } });
  });
});
