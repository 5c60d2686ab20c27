import { startService, type Service } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, mock, remote } from '../support/workflow-documents.js';

const FAST = { retry: { baseMs: 1, jitter: false } };

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
  it('an object with content is the output', async () => {
    unit.answer({ body: { content: { total: 3 } } });
    const { status, result } = await runWith();
    expect([status, result?.state['output.extract']]).toEqual(['completed', { total: 3 }]);
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
  it('with 503 is tried three times under one key', async () => {
    unit.answer({ status: 503, body: 'not now' });
    const { status, error } = await runWith();
    expect(status).toBe('failed');
    expect(error).toMatch(/^Unit extract failed after 3 attempt\(s\): .*503.*not now/);
    expect(new Set(unit.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(unit.requests.map(({ headers }) => headers['x-flowgate-attempt'])).toEqual(['1', '2', '3']);
  });

  it('with 418 is not retried', async () => {
    unit.answer({ status: 418, body: 'no', headers: { location: '/elsewhere' } });
    const { status, error } = await runWith();
    expect([status, error]).toEqual(['failed', expect.stringContaining('418')]);
    expect(unit.requests).toHaveLength(1);
  });

  it('and then succeeds completes, and the retries are in the messages', async () => {
    let calls = 0;
    unit.answer(() => ((calls += 1) < 3 ? { status: 503 } : { body: { content: 'third time' } }));
    const { status, result } = await runWith();
    expect([status, result?.state['output.extract']]).toEqual(['completed', 'third time']);
    const retries = result!.messages.filter(({ type }) => type === 'unit-retry');
    expect(retries).toMatchObject([{ attempt: 1, delayMs: expect.any(Number) }, { attempt: 2 }]);
  });

  it('by not responding fails after its time-out', async () => {
    unit.answer(() => new Promise<void>(() => undefined));
    const policyOverrides = { retry: { maxAttempts: 1 }, timeout: { unitMs: 80 } };
    const { status, error } = await runWith({ policyOverrides });
    expect(status).toBe('failed');
    expect(error).toMatch(/^Unit extract failed after 1 attempt\(s\): .*80/);
    await unit.disconnected();
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
