import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('two-steps', [mock('a', 'one'), mock('b', { deep: [1] })]));
  await service.register(document('gated', [mock('a'), gate('agree'), mock('c')]));
  await service.register(
    document('failing', [{ id: 'f', uses: 'builtin.fail', config: { message: 'It is full.' } }]),
  );
  await service.register(
    document('strict', [mock('a')], {
      input: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } },
    }),
  );
});
afterAll(() => service.close());

const start = (body?: unknown, id = 'two-steps') => service.post(`/workflows/${id}/runs`, body);

describe('a synchronous start', () => {
  it('is 202 with the completed record', async () => {
    const before = Date.now();
    const { status, body } = await start({ input: { a: 1, nested: { b: [null] } }, sync: true });
    expect(status).toBe(202);
    expect(body).toEqual({
      runId: expect.stringMatching(UUID_V7),
      workflowId: 'two-steps',
      status: 'completed',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      result: {
        runId: body.runId,
        completedUnits: ['a', 'b'],
        state: { a: 1, nested: { b: [null] }, 'output.a': 'one', 'output.b': { deep: [1] } },
        messages: expect.any(Array),
        duration: expect.any(Number),
        tokenUsage: 0,
        cost: 0,
      },
    });
    expect(body.createdAt).toBeGreaterThanOrEqual(before);
    expect(body.updatedAt).toBeGreaterThanOrEqual(body.createdAt);
    expect(body.updatedAt).toBeLessThanOrEqual(Date.now());
  });

  it('returns result and no error when the run paused at a gate', async () => {
    const { status, body } = await start({ sync: true }, 'gated');
    expect([status, body.status]).toEqual([202, 'paused']);
    expect(body.result.completedUnits).toEqual(['a']);
    expect(body).not.toHaveProperty('error');
  });

  it('is 202 with error and without result when the run failed', async () => {
    const { status, body } = await start({ sync: true }, 'failing');
    expect([status, body.status]).toEqual([202, 'failed']);
    expect(body.error).toContain('It is full.');
    expect(body).not.toHaveProperty('result');
  });

  it('returns the run’s messages, each with its type and time', async () => {
    const { body } = await start({ sync: true });
    const { messages } = body.result;
    expect(messages.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['unit-output', 'checkpoint']),
    );
    for (const message of messages) expect(message.timestamp).toEqual(expect.any(Number));
    expect(messages).toContainEqual(
      expect.objectContaining({ type: 'unit-output', sourceUnitId: 'a', data: 'one', attempt: 1 }),
    );
    expect(messages).toContainEqual(
      expect.objectContaining({
        type: 'checkpoint',
        runId: body.runId,
        snapshotId: expect.stringContaining(`${body.runId}.`),
      }),
    );
  });
});

describe('an asynchronous start', () => {
  it.each([
    ['sync is false', { sync: false }],
    ['sync is absent', {}],
    ['sync is null', { sync: null }],
    ['there is no body', undefined],
  ])('is 202 with a running record when %s', async (_name, given) => {
    const { status, body } = await start(given);
    expect(status).toBe(202);
    expect(body).toEqual({
      runId: expect.stringMatching(UUID_V7),
      workflowId: 'two-steps',
      status: 'running',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
  });

  it('is running even where the run fails or pauses at once', async () => {
    const answers = await Promise.all([start({}, 'failing'), start({}, 'gated')]);
    expect(answers.map(({ body }) => body.status)).toEqual(['running', 'running']);
  });
});

describe('the input of a run', () => {
  it.each([
    ['absent', { sync: true }],
    ['null', { input: null, sync: true }],
    ['empty', { input: {}, sync: true }],
  ])('is an empty object when it is %s', async (_name, given) => {
    const { body } = await start(given);
    expect(Object.keys(body.result.state)).toEqual(['output.a', 'output.b']);
  });

  it('keeps keys that are members of every JavaScript object', async () => {
    const input = { constructor: 'c', toString: 1, hasOwnProperty: null, valueOf: {}, length: 3 };
    const { body } = await start({ input, sync: true });
    expect(body.result.state).toMatchObject(input);
  });

  it('keeps keys and texts of every script', async () => {
    const input = { 'clé 鍵 🔑': 'été\n\u2028"', '': 'empty', 'a.b/c': [0.1, -5, 1e21] };
    const { body } = await start({ input, sync: true });
    expect(body.result.state).toMatchObject(input);
  });

  it.each([
    ['at its top', '{"input":{"__proto__":{"polluted":1}},"sync":true}'],
    ['deeper', '{"input":{"a":[{"__proto__":{"polluted":1}}]},"sync":true}'],
  ])('with __proto__ as a key %s is refused and pollutes nothing', async (_name, text) => {
    const { status, body } = await start(text);
    expect([status, body.error]).toEqual([400, expect.stringContaining('input')]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['a text', 'x'],
    ['a number', 1],
    ['a list', []],
    ['true', true],
  ])('is 400 when it is %s', async (_name, input) => {
    const { status, body } = await start({ input, sync: true });
    expect([status, body.error]).toEqual([400, 'input must be an object']);
    expect(body.details).toEqual([{ path: 'input', message: 'input must be an object' }]);
  });

  it('that breaks spec.input is 400 with every fault', async () => {
    const { status, body } = await start({ input: { amount: 'much' } }, 'strict');
    expect(status).toBe(400);
    expect(body.error).toMatch(/amount/);
    expect(body.details).toEqual([{ path: expect.stringContaining('amount'), message: expect.any(String) }]);
    expect((await start({ input: { amount: 3 }, sync: true }, 'strict')).body.status).toBe('completed');
  });
});

describe('sync', () => {
  it.each([
    ['"true"', 'true'],
    ['1', 1],
    ['"false"', 'false'],
    ['{}', {}],
  ])('%s is 400: nothing is converted', async (_name, sync) => {
    const { status, body } = await start({ sync });
    expect([status, body.error]).toEqual([400, 'sync must be true or false']);
  });
});

describe('an unknown workflow', () => {
  it('is 500 with its id', async () => {
    const { status, body } = await start({ sync: true }, 'nobody');
    expect([status, body]).toEqual([500, { error: 'Unknown workflow: nobody', code: 'unknown-workflow' }]);
  });

  it('is named before a fault of the body', async () => {
    const { status, body } = await start({ sync: 'no', input: 7 }, 'nobody');
    expect([status, body.error]).toEqual([500, 'Unknown workflow: nobody']);
  });
});

it('ignores fields that it does not know', async () => {
  expect((await start({ sync: true, colour: 'red', runId: 'mine' })).body.status).toBe('completed');
});

it('names every fault of a body', async () => {
  const { body } = await start({ input: 1, sync: 1 });
  expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['input', 'sync']);
});

it('continues a run whose caller has disconnected', async () => {
  await service.register(
    document('slow', [mock('a', 'late', { config: { response: 'late', delayMs: 150 } })]),
  );
  const controller = new AbortController();
  const call = fetch(`${service.url}/workflows/slow/runs`, {
    method: 'POST',
    body: JSON.stringify({ sync: true, input: {} }),
    signal: controller.signal,
  });
  setTimeout(() => controller.abort(), 50);
  await expect(call).rejects.toThrow(/abort/);
  const again = await service.start('slow');
  expect(again.status).toBe('completed');
});
