import { SpanIds } from './span-ids.js';

const NAMES = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

describe('the ids of spans', () => {
  test('are those that are asked for, for the span that begins then, and for no other', () => {
    const ids = new SpanIds();
    const given = ids.named(NAMES, () => [
      ids.generateSpanId(),
      ids.generateTraceId(),
      ids.generateSpanId(),
      ids.generateTraceId(),
    ]);
    expect(given.slice(0, 2)).toEqual([NAMES.spanId, NAMES.traceId]);
    expect(given.slice(2)).toEqual([
      expect.stringMatching(/^[0-9a-f]{16}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
    expect(given.slice(2)).not.toContain(NAMES.spanId);
  });

  test('that nobody took are not left for a later span', () => {
    const ids = new SpanIds();
    ids.named(NAMES, () => undefined);
    expect(() =>
      ids.named(NAMES, () => {
        throw new Error('the SDK is ill');
      }),
    ).toThrow('ill');
    expect([ids.generateSpanId(), ids.generateTraceId()]).not.toContain(NAMES.spanId);
    expect(ids.generateTraceId()).not.toBe(NAMES.traceId);
  });

  test('are random ones else, also where they are called as bare functions', () => {
    const { generateSpanId, generateTraceId } = new SpanIds();
    const made = Array.from({ length: 100 }, () => generateTraceId() + generateSpanId());
    expect(new Set(made).size).toBe(100);
  });
});
