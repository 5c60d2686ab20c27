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
    // Not by the machine's clock, which may be set back meanwhile: the service's own never goes back.
    const next = await start({ sync: true });
    expect(next.body.createdAt).toBeGreaterThanOrEqual(body.updatedAt);
  });
});

describe('an asynchronous start', () => {
  it('is 202 with a running record when there is no body', async () => {
    const { status, body } = await start();
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
  it('keeps keys that are members of every JavaScript object', async () => {
    const input = { constructor: 'c', toString: 1, hasOwnProperty: null, valueOf: {}, length: 3 };
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

it('a start whose input the vars of the workflow cannot be made of is 400, and nothing is started', async () => {
  const vars = { net: '${{ input.gross / 2.0 }}' };
  await service.register(document('with-vars', [mock('a', '${{ vars.net }}')], { vars }));
  const { status, body } = await start({ input: {}, sync: true }, 'with-vars');
  expect([status, body.code, body.error]).toEqual([
    400,
    'invalid-input',
    expect.stringContaining('spec.vars.net') as string,
  ]);
  expect((await service.get('/runs?workflowId=with-vars')).body.items).toEqual([]);
  expect((await start({ input: { gross: 3 }, sync: true }, 'with-vars')).body.result.state).toEqual({
    gross: 3,
    'output.a': 1.5,
  });
});
