import { startService, type Service } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, mock, remote } from '../support/workflow-documents.js';

const FAST = { retry: { baseMs: 1, jitter: false } };
const once = { policyOverrides: { retry: { maxAttempts: 1 } } };

let service: Service;
let unit: UnitServer;

beforeEach(async () => {
  service = await startService();
  unit = await startUnitServer();
});
afterEach(async () => {
  await service.close();
  await unit.close();
});

/** Registers a workflow of one remote unit and runs it. */
async function runWith(more: object = {}, binding: object = {}, start: object = {}) {
  const yaml = document('remote', [remote('extract', more)], { policy: FAST });
  await service.register(yaml, bound('extract', `${unit.url}/units/extract?v=1`, binding));
  return service.start('remote', { sync: true, ...start });
}

describe('the call to a remote unit', () => {
  it('is a POST to the endpoint with the binding’s headers and ours', async () => {
    unit.answer({ body: { content: 'ok' } });
    const { runId } = await runWith({}, { headers: { Authorization: 'Bearer t0ken', 'X-Team': 'finance' } });
    expect(unit.requests).toHaveLength(1);
    const [{ method, url, headers }] = unit.requests as [UnitServer['requests'][number]];
    expect([method, url]).toEqual(['POST', '/units/extract?v=1']);
    expect(headers).toMatchObject({
      authorization: 'Bearer t0ken',
      'x-team': 'finance',
      'content-type': expect.stringMatching(/^application\/json/),
      'idempotency-key': expect.stringMatching(new RegExp(`^${runId}:\\d+$`)),
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/),
      'x-flowgate-run-id': runId,
      'x-flowgate-unit-id': 'extract',
      'x-flowgate-attempt': '1',
    });
  });

  it('carries input, state and context', async () => {
    const more = {
      with: { task: 'Extract ${{ input.invoiceId }}', params: { mode: 'strict' } },
      config: { locale: 'de' },
      contextPolicy: { state: ['invoiceId'], tone: 'formal' },
    };
    const { runId } = await runWith(more, {}, { input: { invoiceId: 'F-7', secret: 1 } });
    expect(JSON.parse(unit.requests[0]!.body)).toEqual({
      input: { task: 'Extract F-7', params: { mode: 'strict' } },
      state: { invoiceId: 'F-7' },
      context: {
        workflowId: 'remote',
        runId,
        unitId: 'extract',
        executionId: expect.any(String),
        attempt: 1,
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        deadlineAt: expect.any(Number),
        config: { locale: 'de' },
        contextPolicy: { state: ['invoiceId'], tone: 'formal' },
      },
    });
  });

  it('carries the run’s input when the unit has no with, and all of the state', async () => {
    await runWith({}, {}, { input: { a: 1 } });
    expect(JSON.parse(unit.requests[0]!.body)).toMatchObject({ input: { a: 1 }, state: { a: 1 } });
  });
});

describe('the outcome of a remote unit', () => {
  it.each([
    ['an object with content', { body: { content: { total: 3 } } }, { total: 3 }],
    ['an object without content', { body: { total: 3 } }, { total: 3 }],
    ['a list', { body: [1, 2] }, [1, 2]],
    ['a text in JSON', { body: '"hi"', headers: { 'content-type': 'application/json' } }, 'hi'],
    ['text', { body: 'plain words', headers: { 'content-type': 'text/plain' } }, 'plain words'],
    ['nothing', { status: 204 }, null],
  ])('%s is the output', async (_name, reply, output) => {
    unit.answer(reply);
    const { status, result } = await runWith();
    expect([status, result?.state['output.extract']]).toEqual(['completed', output]);
  });

  it('writes state and adds up what it used', async () => {
    const tokenUsage = { promptTokens: 10, completionTokens: 5, totalTokens: 15, estimatedCost: 0.25 };
    unit.answer({ body: { content: 'x', state: { total: 7 }, tokenUsage } });
    const { result } = await runWith();
    expect(result).toMatchObject({ state: { total: 7, 'output.extract': 'x' }, tokenUsage: 15, cost: 0.25 });
  });

  it('with stopReason error fails the run at once', async () => {
    unit.answer({ body: { content: 'cannot', stopReason: 'error' } });
    const { status, error } = await runWith();
    expect(status).toBe('failed');
    expect(error).toMatch(/^Unit extract failed after 1 attempt\(s\): /);
    expect(unit.requests).toHaveLength(1);
  });

  it('that is not the JSON that it says it is fails the run at once', async () => {
    unit.answer({ body: '{', headers: { 'content-type': 'application/json' } });
    expect((await runWith()).status).toBe('failed');
    expect(unit.requests).toHaveLength(1);
  });

  it('that is over FLOWGATE_MAX_RESPONSE_BYTES fails the run at once', async () => {
    await service.close();
    service = await startService({ FLOWGATE_MAX_RESPONSE_BYTES: '2000' });
    unit.answer({ body: { content: 'x'.repeat(3_000) } });
    const { status, error } = await runWith();
    expect([status, error]).toEqual(['failed', expect.stringContaining('2000')]);
    expect(unit.requests).toHaveLength(1);
  });
});

describe('a remote unit that fails', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])(
    'with %i is tried three times under one key',
    async (status) => {
      unit.answer({ status, body: 'not now' });
      const { status: ended, error } = await runWith();
      expect(ended).toBe('failed');
      expect(error).toMatch(new RegExp(`^Unit extract failed after 3 attempt\\(s\\): .*${status}.*not now`));
      expect(new Set(unit.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
      expect(unit.requests.map(({ headers }) => headers['x-flowgate-attempt'])).toEqual(['1', '2', '3']);
    },
  );

  it.each([400, 401, 403, 404, 409, 418, 422, 501, 505, 301, 307])(
    'with %i is not retried',
    async (status) => {
      unit.answer({ status, body: 'no', headers: { location: '/elsewhere' } });
      const { status: ended, error } = await runWith();
      expect([ended, error]).toEqual(['failed', expect.stringContaining(String(status))]);
      expect(unit.requests).toHaveLength(1);
    },
  );

  it('and then succeeds completes, and the retries are in the messages', async () => {
    let calls = 0;
    unit.answer(() => ((calls += 1) < 3 ? { status: 503 } : { body: { content: 'third time' } }));
    const { status, result } = await runWith();
    expect([status, result?.state['output.extract']]).toEqual(['completed', 'third time']);
    const retries = result!.messages.filter(({ type }) => type === 'unit-retry');
    expect(retries).toMatchObject([{ attempt: 1, delayMs: expect.any(Number) }, { attempt: 2 }]);
  });

  it('is called again no sooner than Retry-After says', async () => {
    const times: number[] = [];
    unit.answer(() => {
      times.push(Date.now());
      return times.length === 1 ? { status: 429, headers: { 'retry-after': '1' } } : { body: { content: 1 } };
    });
    expect((await runWith()).status).toBe('completed');
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(990);
  });

  it('by closing the connection is retried', async () => {
    let calls = 0;
    unit.answer((_request, response) => {
      calls += 1;
      if (calls > 1) return { body: { content: 'back' } };
      response.destroy();
      return undefined;
    });
    expect((await runWith()).status).toBe('completed');
  });

  it('by being unreachable fails the run with a reason', async () => {
    await unit.close();
    const { status, error } = await runWith(once);
    expect(status).toBe('failed');
    expect(error).toMatch(/^Unit extract failed after 1 attempt\(s\): .*refused/i);
  });

  it('by not responding fails after its time-out', async () => {
    unit.answer(() => new Promise<void>(() => undefined));
    const policyOverrides = { retry: { maxAttempts: 1 }, timeout: { unitMs: 80 } };
    const { status, error } = await runWith({ policyOverrides });
    expect(status).toBe('failed');
    expect(error).toMatch(/^Unit extract failed after 1 attempt\(s\): .*80/);
    await unit.disconnected();
  });

  it('names at most 500 characters of its body', async () => {
    unit.answer({ status: 400, body: 'y'.repeat(5_000) });
    expect((await runWith()).error!.match(/y+/g)!.at(-1)!.length).toBeLessThanOrEqual(500);
  });
});

it('the headers of a binding can be read nowhere', async () => {
  const secret = 's3cret-value-nobody-may-read';
  unit.answer({ status: 500, body: 'down' });
  const run = await runWith({}, { headers: { 'X-Key': secret } });
  const path = `/workflows/remote/runs/${run.runId}`;
  const answers = await Promise.all(
    ['/workflows', path, `${path}/messages`, `${path}/snapshots`].map((p) => service.get(p)),
  );
  expect(JSON.stringify([run, answers.map(({ text }) => text)])).not.toContain(secret);
});

it('runs of one workflow call its units at the same time', async () => {
  let most = 0;
  let now = 0;
  unit.answer(async () => {
    most = Math.max(most, (now += 1));
    await new Promise((resolve) => setTimeout(resolve, 250));
    now -= 1;
    return { body: { content: 1 } };
  });
  await service.register(document('many', [mock('a'), remote('b')]), bound('b', unit.url));
  await Promise.all(Array.from({ length: 10 }, () => service.start('many')));
  expect(most).toBeGreaterThan(5);
});
