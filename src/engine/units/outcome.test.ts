import { excerpt, interpretResult } from './outcome.js';

const failure = (error: unknown, outcome = 'unknown') => ({
  kind: 'failed',
  error,
  retryable: false,
  outcome,
  retryAfterMs: null,
});

const finished = (output: unknown) => ({
  kind: 'finished',
  output,
  patch: null,
  usage: null,
  metadata: null,
});

describe('the result of a unit', () => {
  test.each([[null], [true], [0], [''], ['text'], [[1, { content: 2 }]], [{ a: 1 }]])(
    '%j, which is no envelope, is the output',
    (value) => {
      expect(interpretResult(value)).toEqual(finished(value));
    },
  );

  test('undefined is null, as for an in-process unit that returns nothing', () => {
    expect(interpretResult(undefined)).toEqual(finished(null));
  });

  test('an object with its own content is an envelope: state, metadata and usage go with it', () => {
    const outcome = interpretResult({
      content: { total: 5 },
      toolCalls: [{ name: 'lookup' }],
      stopReason: 'end',
      state: { total: 5, outputs: 1 },
      metadata: { route: 'high' },
      tokenUsage: { promptTokens: 3, completionTokens: 4, totalTokens: 9, estimatedCost: 0.25 },
    });
    expect(outcome).toEqual({
      kind: 'finished',
      output: { total: 5 },
      patch: { total: 5, outputs: 1 },
      usage: { tokens: 9, cost: 0.25 },
      metadata: { route: 'high' },
    });
  });

  test('content that is null, undefined or inherited', () => {
    expect(interpretResult({ content: null })).toEqual(finished(null));
    expect(interpretResult({ content: undefined, state: { a: 1 } })).toEqual({
      ...finished(null),
      patch: { a: 1 },
    });
    const inheriting = Object.assign(Object.create({ content: 'inherited' }) as object, { a: 1 });
    expect(interpretResult(inheriting)).toEqual(finished({ a: 1 }));
  });

  test('optional fields that are null count as absent', () => {
    const outcome = interpretResult({
      content: 1,
      state: null,
      metadata: null,
      tokenUsage: null,
      stopReason: null,
    });
    expect(outcome).toEqual(finished(1));
  });

  test('tokens without a total are the sum of prompt and completion; what is missing counts 0', () => {
    const usageOf = (tokenUsage: unknown) => {
      const outcome = interpretResult({ content: 1, tokenUsage });
      return outcome.kind === 'finished' ? outcome.usage : outcome.error;
    };
    expect(usageOf({ promptTokens: 3, completionTokens: 4 })).toEqual({ tokens: 7, cost: 0 });
    expect(usageOf({ promptTokens: 3, totalTokens: null })).toEqual({ tokens: 3, cost: 0 });
    expect(usageOf({ estimatedCost: 0.5 })).toEqual({ tokens: 0, cost: 0.5 });
    expect(usageOf({ totalTokens: 0, promptTokens: 8 })).toEqual({ tokens: 0, cost: 0 });
  });

  test.each<[string, unknown, string]>([
    ['is not an object', 12, 'answer has a tokenUsage that is not an object'],
    [
      'is negative',
      { totalTokens: -1 },
      'answer has a tokenUsage.totalTokens that is not a number from 0 to 1000000000000',
    ],
    [
      'is a text',
      { promptTokens: '3' },
      'answer has a tokenUsage.promptTokens that is not a number from 0 to 1000000000000',
    ],
    [
      'is beyond all bounds',
      { estimatedCost: 1e13 },
      'answer has a tokenUsage.estimatedCost that is not a number from 0 to 1000000000000',
    ],
    [
      'is not finite',
      { completionTokens: Infinity },
      'answer is not JSON: Infinity at tokenUsage.completionTokens',
    ],
  ])('usage that %s fails the unit instead of being lost', (_name, tokenUsage, error) => {
    expect(interpretResult({ content: 1, tokenUsage })).toEqual(failure(error));
  });

  test.each(['output.x', 'errors.', 'hitl.approved'])('a state key %s is refused', (key) => {
    expect(interpretResult({ content: 1, state: { ok: 1, [key]: 2 } })).toEqual(
      failure(
        `answer has the state key "${key}": keys that begin with output., errors. or hitl. are reserved`,
      ),
    );
  });

  test('a state with more keys than may be written at once makes it unusable, and says what to do', () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
    expect(interpretResult({ content: 1, state: keys(10_000) })).toMatchObject({ kind: 'finished' });
    expect(interpretResult({ content: keys(10_001), state: { keys: keys(10_001) } })).toMatchObject({
      kind: 'finished',
    });
    expect(interpretResult({ content: 1, state: keys(10_001) })).toEqual(
      failure(
        'answer has a state that has 10001 keys at its top, more than 10000: put them into one object or list under a single key',
      ),
    );
    expect(interpretResult(keys(50_001))).toEqual(failure(expect.stringContaining('more than 50000 keys')));
  });

  test('state keys that only resemble the reserved ones are taken', () => {
    const state = { output: 1, outputs: 2, hitl: 3, 'my.output.x': 4 };
    expect(interpretResult({ content: 1, state })).toMatchObject({ kind: 'finished', patch: state });
  });

  test('a __proto__ anywhere is refused, and nothing gets a prototype from it', () => {
    const outcome = interpretResult(JSON.parse('{"content":1,"state":{"__proto__":{"admin":true}}}'));
    expect(outcome).toEqual(failure('answer has a key that is refused at state.__proto__'));
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test.each([
    [{ content: 1, state: [] }, 'answer has a state that is not an object'],
    [{ content: 1, metadata: 'm' }, 'answer has metadata that is not an object'],
  ])('%j fails the unit', (value, error) => {
    expect(interpretResult(value)).toEqual(failure(error));
  });

  test('stopReason "error" is a failure in the unit\'s own words, which did not do it', () => {
    const prefix = 'unit answered with stopReason "error"';
    expect(interpretResult({ content: 'quota used up', stopReason: 'error' })).toEqual(
      failure(`${prefix}: quota used up`, 'refused'),
    );
    expect(interpretResult({ content: { code: 7 }, stopReason: 'error' })).toEqual(
      failure(`${prefix}: {"code":7}`, 'refused'),
    );
    expect(interpretResult({ content: null, stopReason: 'error' })).toEqual(failure(prefix, 'refused'));
  });

  test('what is not JSON is a failure that says where', () => {
    expect(interpretResult({ content: { run: () => 1 } })).toEqual(
      failure('answer is not JSON: a function at content.run'),
    );
  });

  test('all of it is frozen and a copy', () => {
    const given = { content: { a: [1] }, state: { s: { t: 1 } }, metadata: { m: [1] } };
    const outcome = interpretResult(given);
    given.content.a.push(2);
    given.state.s.t = 2;
    expect(outcome).toMatchObject({ output: { a: [1] }, patch: { s: { t: 1 } } });
    if (outcome.kind !== 'finished') throw new Error('failed');
    expect(Object.isFrozen((outcome.output as { a: unknown }).a)).toBe(true);
    expect(Object.isFrozen(outcome.patch!['s'])).toBe(true);
    expect(Object.isFrozen(outcome.metadata)).toBe(true);
  });
});

describe('an excerpt', () => {
  test('is one line without control or invisible format characters', () => {
    expect(excerpt(' a\r\n\tb\u0000c\u001b[31m\u202e\u0085d ')).toBe('a bc[31md');
  });

  test('has at most 500 characters, and no half of a surrogate pair at its end', () => {
    expect(excerpt('x'.repeat(501))).toBe('x'.repeat(500));
    expect(excerpt(`${'x'.repeat(499)}😀`)).toBe('x'.repeat(499));
    expect(excerpt('y'.repeat(10_000_000))).toHaveLength(500);
  });

  test('masks before it truncates, and again after it cleaned', () => {
    const mask = (text: string): string => text.replaceAll('s3cret', '***');
    expect(excerpt(`${'x'.repeat(497)}s3cret`, mask)).toBe(`${'x'.repeat(497)}***`);
    expect(excerpt('s3\u0000cret', mask)).toBe('***');
  });

  test('shows no half of a secret where the window of a very long text ends', () => {
    const secret = 's'.repeat(1000);
    const mask = (text: string): string => text.replaceAll(secret, '***');
    expect(excerpt(secret.repeat(1000), mask)).not.toContain('s');
  });
});
