import {
  callUnit,
  NOW,
  StoppedClock,
  UNIT_REQUEST,
  type Call,
} from '../../../../test/support/remote-unit.js';
import { startUnitServer, type Reply, type UnitServer } from '../../../../test/support/unit-server.js';
import { WAYS } from '../../../../test/support/unit-transports.js';
import type { UnitTransport } from '../../ports/unit-transport.js';

describe.each(WAYS)('over %s', (_way, createTransport) => {
  let server: UnitServer;
  let transport: UnitTransport;

  beforeAll(() => {
    transport = createTransport();
  });

  beforeEach(async () => {
    server = await startUnitServer();
  });

  afterEach(() => server.close());
  afterAll(() => transport.close());

  const call = (more: Partial<Call> = {}) => callUnit({ endpoint: server.url, transport, ...more });

  async function outcomeOf(reply: Reply, more: Partial<Call> = {}) {
    server.answer(reply);
    return call(more);
  }

  const json = (body: string): Reply => ({ headers: { 'content-type': 'application/json' }, body });
  const text = (body: string): Reply => ({ headers: { 'content-type': 'text/plain' }, body });
  const output = (value: unknown) => ({
    kind: 'finished',
    output: value,
    patch: null,
    usage: null,
    metadata: null,
  });

  const failure = (
    error: unknown,
    retryable: boolean,
    outcome: string,
    retryAfterMs: number | null = null,
  ) => ({
    kind: 'failed',
    error,
    retryable,
    outcome,
    retryAfterMs,
  });
  /** A failure that an HTTP status stands for. */
  const answered = (status: number, ...rest: Parameters<typeof failure>) => ({ ...failure(...rest), status });

  describe('a 2xx response', () => {
    test('that is an object with content gives output, state, usage and metadata', async () => {
      const body = {
        content: 'done',
        metadata: { route: 'a' },
        tokenUsage: { promptTokens: 2, completionTokens: 3, estimatedCost: 0.1 },
        state: { total: 4 },
      };
      expect(await outcomeOf({ body })).toEqual({
        kind: 'finished',
        output: 'done',
        patch: { total: 4 },
        usage: { tokens: 5, cost: 0.1 },
        metadata: { route: 'a' },
      });
    });

    test.each(['{"a":1}', '[1]', '"text"', '42', 'true', 'null'])(
      'of any other JSON (%s) is the output',
      async (body) => {
        expect(await outcomeOf(json(body))).toEqual(output(JSON.parse(body)));
        expect(await outcomeOf({ body })).toEqual(output(JSON.parse(body)));
      },
    );

    test.each(['application/problem+json', 'Application/JSON; charset=utf-8', 'text/json'])(
      'of content type %s is JSON',
      async (type) => {
        expect(await outcomeOf({ headers: { 'content-type': type }, body: '[1]' })).toEqual(output([1]));
      },
    );

    test('that is not JSON is a text', async () => {
      expect(await outcomeOf(text('plain words'))).toEqual(output('plain words'));
      expect(await outcomeOf({ body: 'plain words' })).toEqual(output('plain words'));
      expect(await outcomeOf(text('{half'))).toEqual(output('{half'));
    });

    test('labelled as text is read when it is an object or an array, and stays a text when it is a scalar', async () => {
      expect(await outcomeOf(text('{"content":1}'))).toEqual(output(1));
      expect(await outcomeOf(text('42'))).toEqual(output('42'));
    });

    test.each([200, 201, 202, 204])(
      'without a body (%d) is null, whatever its content type',
      async (status) => {
        expect(await outcomeOf({ status })).toEqual(output(null));
        expect(await outcomeOf({ ...json(''), status })).toEqual(output(null));
      },
    );

    test('with stopReason "error" is a failure that is not retried', async () => {
      const body = { content: 'quota used up', stopReason: 'error' };
      const error = 'unit answered with stopReason "error": quota used up';
      expect(await outcomeOf({ body })).toEqual(failure(error, false, 'refused'));
    });

    test('of a JSON content type that does not parse is a failure that is not retried', async () => {
      const error = 'HTTP 200: body does not parse although its content type is JSON: {"a":';
      expect(await outcomeOf(json('{"a":'))).toEqual(failure(error, false, 'unknown'));
    });

    test('with a number beyond all numbers is not JSON that we can keep', async () => {
      const error = 'answer is not JSON: Infinity at a';
      expect(await outcomeOf(json('{"a":1e999}'))).toEqual(failure(error, false, 'unknown'));
    });

    test('that is too large is a failure that is not retried', async () => {
      const reply = text('x'.repeat(101));
      const unitOutcome = await outcomeOf(reply, { options: { maxResponseBytes: 100 } });
      expect(unitOutcome).toEqual(failure('response is larger than 100 bytes', false, 'unknown'));
    });

    test('of more keys than a result may have is a failure that is not retried, whatever its content type', async () => {
      const body = JSON.stringify(Object.fromEntries(Array.from({ length: 51_001 }, (_, key) => [key, 1])));
      const tooMany = failure(
        'answer holds more than 51000 keys: split it, or send a link to it',
        false,
        'unknown',
      );
      expect([await outcomeOf(json(body)), await outcomeOf(text(body))]).toEqual([tooMany, tooMany]);
    });

    test('that is large yields to the event loop: others run between those that arrive at the same moment', async () => {
      server.answer(json(JSON.stringify(['x'.repeat(70_000)])));
      let rounds = 0;
      let isOver = false;
      const nextRound = (): void => {
        rounds += 1;
        if (!isOver) setImmediate(nextRound);
      };
      setImmediate(nextRound);
      const readIn = await Promise.all(
        [1, 2, 3].map(async () => {
          expect(await call()).toMatchObject({ kind: 'finished' });
          return rounds;
        }),
      );
      isOver = true;
      expect(new Set(readIn).size).toBe(3);
    });

    test('of lines of JSON is a text, however many keys they have', async () => {
      const lines = '{"a":1}\n'.repeat(60_000);
      expect(await outcomeOf(text(lines))).toEqual(output(lines));
    });

    test('may have 10 MiB, and not a byte more', async () => {
      const limit = 10 * 1024 * 1024;
      expect(await outcomeOf(text('x'.repeat(limit)))).toMatchObject({ kind: 'finished' });
      const unitOutcome = await outcomeOf(text('x'.repeat(limit + 1)));
      expect(unitOutcome).toEqual(failure(`response is larger than ${limit} bytes`, false, 'unknown'));
    });
  });

  describe('any other status', () => {
    test.each([
      [408, 'unknown'],
      [425, 'refused'],
      [429, 'refused'],
      [500, 'unknown'],
      [502, 'unknown'],
      [503, 'unknown'],
      [504, 'unknown'],
    ])('%d is retried, and what it says of the work is: %s', async (status, outcome) => {
      const unitOutcome = await outcomeOf({ ...text('busy'), status });
      expect(unitOutcome).toEqual(answered(status, `HTTP ${status}: busy`, true, outcome));
    });

    test.each([
      [400, 'refused'],
      [401, 'refused'],
      [403, 'refused'],
      [404, 'refused'],
      [409, 'unknown'],
      [410, 'refused'],
      [422, 'refused'],
      [451, 'refused'],
      [501, 'unknown'],
      [505, 'unknown'],
      [599, 'unknown'],
    ])('%d is not retried, and what it says of the work is: %s', async (status, outcome) => {
      const unitOutcome = await outcomeOf({ ...text('no'), status, headers: { 'retry-after': '5' } });
      expect(unitOutcome).toEqual(answered(status, `HTTP ${status}: no`, false, outcome));
    });

    test.each([
      [300, 'unknown'],
      [301, 'unknown'],
      [302, 'unknown'],
      [303, 'unknown'],
      [304, 'unknown'],
      [307, 'refused'],
      [308, 'refused'],
    ])('a redirect (%d) is neither followed nor retried', async (status, outcome) => {
      const unitOutcome = await outcomeOf({ status, headers: { location: `${server.url}/secret-place` } });
      expect(unitOutcome).toEqual(
        answered(status, `HTTP ${status}: redirects are not followed`, false, outcome),
      );
      expect(server.requests).toHaveLength(1);
    });

    test('without a body is named alone', async () => {
      expect(await outcomeOf({ status: 503 })).toEqual(answered(503, 'HTTP 503', true, 'unknown'));
    });

    test('is quoted with at most 500 characters on one line', async () => {
      const unitOutcome = await outcomeOf({ status: 400, body: `a\u0000\u001b\r\nb${'x'.repeat(900)}` });
      expect(unitOutcome).toEqual(answered(400, `HTTP 400: a b${'x'.repeat(497)}`, false, 'refused'));
    });

    test.each([
      ['7', 7000],
      [new Date(NOW + 30_000).toUTCString(), 30_000],
      ['999999999', 86_400_000],
      ['soon', null],
    ])('with Retry-After %j is retried after %j ms', async (header, ms) => {
      const unitOutcome = await outcomeOf({ status: 429, headers: { 'retry-after': header } });
      expect(unitOutcome).toEqual(answered(429, 'HTTP 429', true, 'refused', ms));
    });
  });

  describe('no response', () => {
    test('because nobody listens is a network error, retried', async () => {
      await server.close();
      expect(await call()).toEqual(failure('network error: connection refused', true, 'unknown'));
    });

    test('because the connection broke is a network error, retried', async () => {
      server.answer((_request, response) => {
        response.destroy();
      });
      expect(await call()).toEqual(failure('network error: connection closed', true, 'unknown'));
    });

    test("within the binding's time limit is a time-out, retried; its connection ends", async () => {
      server.answer(() => undefined);
      const clock = new StoppedClock(NOW);
      const unitOutcome = call({ options: { timeoutMs: 5000, clock } });
      await server.received(1);
      expect(clock.scheduled.map(({ at }) => at)).toEqual([NOW + 5000]);
      clock.fire();
      expect(await unitOutcome).toEqual({
        ...failure('timed out after 5000 ms', true, 'unknown'),
        timedOutMs: 5000,
      });
      await server.disconnected();
    });

    test('because the runtime stops the attempt ends it at once, with and without a limit of the binding', async () => {
      server.answer(() => undefined);
      for (const timeoutMs of [null, 5000]) {
        const controller = new AbortController();
        const count = server.requests.length + 1;
        const unitOutcome = call({ options: { timeoutMs }, signal: controller.signal });
        await server.received(count);
        controller.abort();
        expect(await unitOutcome).toEqual(failure('network error: aborted', true, 'unknown'));
        await server.disconnected();
      }
      const unitOutcome = await call({ options: { timeoutMs: 5000 }, signal: AbortSignal.abort() });
      expect(unitOutcome).toEqual(failure('network error: aborted', true, 'unknown'));
      expect(server.requests).toHaveLength(2);
    });

    test('a response in time cancels the timer', async () => {
      const clock = new StoppedClock(NOW);
      expect(await call({ options: { timeoutMs: 5000, clock } })).toEqual(output(null));
      expect(clock.cancelled).toBe(1);
    });

    test('a request that cannot be written is a failure, not a rejection', async () => {
      const state = {
        get broken(): never {
          throw new Error('password');
        },
      };
      expect(await call({ request: { ...UNIT_REQUEST, state } })).toEqual(
        failure('request cannot be sent', false, 'refused'),
      );
    });
  });

  describe('secrets', () => {
    const headers = {
      Authorization: 'Bearer tok-1234567890',
      'X-Api-Key': 'k"e\\y',
      'X-Spaced': 'two \t words',
      'X-Version': '1',
    };

    async function errorOf(body: string, status = 400): Promise<string> {
      server.answer({ status, body });
      const endpoint = `http://us%40er:p%3Ass@127.0.0.1:${server.port}/?code=query%20secret&v=2`;
      const unitOutcome = await call({ endpoint, options: { headers } });
      return unitOutcome.kind === 'failed' ? unitOutcome.error : 'finished';
    }

    test.each([
      ['a header', 'Bearer tok-1234567890'],
      ['a token without its scheme', 'tok-1234567890'],
      ['a header inside JSON', 'k\\"e\\\\y'],
      ['a header', 'k"e\\y'],
      ['a header percent-encoded', 'k%22e%5Cy'],
      ['a header with its white space folded', 'two words'],
      ['a password', 'p:ss'],
      ['a password as in the address', 'p%3Ass'],
      ['a user', 'us@er'],
      ['basic credentials', Buffer.from('us@er:p:ss').toString('base64')],
      ["a query's value", 'query secret'],
      ["a query's value percent-encoded", 'query%20secret'],
    ])('that a body repeats are masked: %s (%s)', async (_name, secret) => {
      expect(await errorOf(`<${secret}> and again ${secret}`)).toBe('HTTP 400: <***> and again ***');
    });

    test('are masked before the body is truncated, and after it is cleaned', async () => {
      expect(await errorOf(`${'x'.repeat(495)}tok-1234567890`)).toBe(`HTTP 400: ${'x'.repeat(495)}***`);
      expect(await errorOf('tok-\u000012345\u001b67890')).toBe('HTTP 400: ***');
    });

    test('of one character are none: the text stays readable', async () => {
      expect(await errorOf('1 fault in line 21')).toBe('HTTP 400: 1 fault in line 21');
    });

    test('are masked in what a 2xx response makes an error', async () => {
      const stopped = JSON.stringify({ content: 'bad tok-1234567890', stopReason: 'error' });
      expect(await errorOf(stopped, 200)).toBe('unit answered with stopReason "error": bad ***');
      const patch = JSON.stringify({ content: 1, state: { 'output.tok-1234567890': 1 } });
      expect(await errorOf(patch, 200)).toContain('"output.***"');
    });

    test('are in no network error', async () => {
      const endpoint = `http://user:hunter2@127.0.0.1:${server.port}/`;
      await server.close();
      const unitOutcome = await call({ endpoint, options: { headers } });
      expect(unitOutcome).toEqual(failure('network error: connection refused', true, 'unknown'));
    });
  });
});
