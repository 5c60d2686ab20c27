import { assert, jsonValue, nat, property } from 'fast-check';
import type { JsonValue } from '../core/json.js';
import { beginningOfJson } from './beginning-of-json.js';

describe('the beginning of a JSON text', () => {
  it('is what the whole text begins with, and as long as requested, or all of it', () => {
    assert(
      property(jsonValue({ maxDepth: 5 }), nat(200), (value, chars) => {
        const whole = JSON.stringify(value);
        const beginning = beginningOfJson(value as JsonValue, chars);
        expect(whole.startsWith(beginning)).toBe(true);
        expect(beginning.length).toBeGreaterThanOrEqual(Math.min(chars, whole.length));
      }),
    );
  });

  it('is not much longer than requested of a value that is much longer', () => {
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `row ${id}` }));
    expect(beginningOfJson(rows, 1_000).length).toBeLessThan(1_200);
    expect(beginningOfJson({ rows, more: rows }, 1_000).length).toBeLessThan(1_200);
  });
});
