import { spanOf, spanOfRun, traceOf } from './span-id.js';

const RUN = '01990000-0000-7000-8000-000000000001';

describe('the span of an attempt', () => {
  test('is the same whenever, and in whatever process, it is computed', () => {
    expect([spanOf(`${RUN}:1`, 1), spanOf(`${RUN}:1`, 2), spanOf('', 0)]).toMatchInlineSnapshot(`
     [
       "a26309be656467d8",
       "b80c089328bc70cd",
       "74141c20a5fcd20e",
     ]
    `);
  });

  test('is another one for each attempt of each execution of a run', () => {
    const spans = new Set<string>();
    for (let execution = 0; execution < 2_000; execution += 1) {
      for (let attempt = 1; attempt <= 5; attempt += 1) spans.add(spanOf(`${RUN}:${execution}`, attempt));
    }
    expect(spans.size).toBe(10_000);
  });

  test('has 16 digits that are not all zeros', () => {
    for (let execution = 0; execution < 1_000; execution += 1) {
      expect(spanOf(`${RUN}:${execution}`, 1)).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
    }
  });

  test('changes in every digit with the attempt, not only in some', () => {
    const spans = Array.from({ length: 200 }, (_, attempt) => spanOf(`${RUN}:7`, attempt));
    const values = Array.from({ length: 16 }, (_, digit) => new Set(spans.map((span) => span[digit])).size);
    expect(Math.min(...values)).toBe(16);
  });
});

describe('the trace of a run', () => {
  test('is its id, without the dashes', () => {
    expect(traceOf(RUN)).toBe('01990000000070008000000000000001');
  });

  test.each(['run-1', '', '00000000-0000-0000-0000-000000000000', RUN.toUpperCase().replace('1', 'F')])(
    'of the run %s is one that W3C trace context allows',
    (runId) => {
      expect(traceOf(runId)).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      expect(traceOf(runId)).toBe(traceOf(runId));
    },
  );

  test('has one span for the run, which is that of no attempt', () => {
    expect(spanOfRun(RUN)).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
    expect(spanOfRun(RUN)).not.toBe(spanOf(`${RUN}:0`, 1));
  });
});
