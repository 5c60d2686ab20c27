import { startService, type Body, type Service } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { document } from '../support/workflow-documents.js';

let service: Service;
let bank: UnitServer;

/** What was reserved is released by a unit over HTTP, which answers 503 at first. */
beforeAll(async () => {
  service = await startService({ FLOWGATE_MCP_TOOLS: 'extended' });
  bank = await startUnitServer();
  const yaml = document(
    'saga',
    [
      { id: 'reserve', uses: 'builtin.mock', config: { response: 'r-1' }, compensate: 'release' },
      { id: 'ship', uses: 'builtin.fail', config: { message: 'no truck' } },
      { id: 'release', uses: 'bank', policyOverrides: { retry: { maxAttempts: 1 } } },
    ],
    { flow: { type: 'sequential', order: ['reserve', 'ship'] } },
  );
  await service.register(yaml, { bank: { type: 'http', endpoint: bank.url } });
});
beforeEach(() => bank.answer({ status: 503 }));
afterAll(async () => {
  await service.close();
  await bank.close();
});

const FAILED = { status: 'failed', error: 'no truck' };

async function leaking(): Promise<string> {
  const { runId, status, error } = await service.start('saga');
  expect({ status, error }).toEqual(FAILED);
  return runId;
}

const path = (runId: string) => `/workflows/saga/runs/${runId}/compensate`;
/** What lists say of the run. */
const listed = async (runId: string): Promise<unknown> =>
  (await service.get(`/runs?id=${runId}`)).body.items[0].compensation;
const keysSent = () => bank.requests.map(({ headers }) => headers['idempotency-key']);

it('what could not be undone is tried again under its old key, and the run ends as it had ended', async () => {
  const runId = await leaking();
  const sent = bank.requests.length;
  expect(await listed(runId)).toEqual({ status: 'failed', done: 0, failed: 1, unknown: 0 });
  expect((await service.post(path(runId))).body).toMatchObject(FAILED);
  bank.answer({ body: 'released' });
  const { status, body } = await service.post(path(runId), { by: 'ann' });
  expect([status, body]).toEqual([200, expect.objectContaining(FAILED)]);
  const [first, ...again] = keysSent().slice(sent - 1);
  expect(first).toMatch(/:compensate$/);
  expect(again).toEqual([first, first]);

  const { items } = (await service.get(`/workflows/saga/runs/${runId}/events`)).body;
  expect(items.slice(-6).map(({ type }: Body) => type)).toEqual([
    'run.resumed',
    'compensation.started',
    'unit.scheduled',
    'unit.finished',
    'compensation.finished',
    'run.failed',
  ]);
  expect(items.at(-6).data).toMatchObject({ reason: 'compensate', by: { id: 'ann' } });
  expect(items.at(-2).data).toEqual({ done: 1, failed: 0, unknown: 0 });
  expect(await listed(runId)).toEqual({ status: 'done', done: 1, failed: 0, unknown: 0 });
});

it('a request that is sent twice under one key is carried out once, and one without a key is refused then', async () => {
  const runId = await leaking();
  bank.answer({ body: 'released' });
  const sent = bank.requests.length;
  const headers = { 'idempotency-key': 'again' };
  const answers = [
    await service.post(path(runId), {}, headers),
    await service.post(path(runId), {}, headers),
    await service.post(path(runId), { by: 'bob' }, headers),
    await service.post(path(runId)),
  ];
  expect(answers.map(({ status, body }) => [status, body.code ?? body.status])).toEqual([
    [200, 'failed'],
    [200, 'failed'],
    [409, 'idempotency-conflict'],
    [409, 'nothing-to-compensate'],
  ]);
  expect(bank.requests).toHaveLength(sent + 1);
});

it('agents have it as a tool', async () => {
  const runId = await leaking();
  bank.answer({ body: 'released' });
  const tool = async () => {
    const params = { name: 'compensate_run', arguments: { workflowId: 'saga', runId, by: 'ann' } };
    const { body } = await service.post('/mcp', { method: 'tools/call', params });
    return JSON.parse(body.result.content[0].text);
  };
  expect(await tool()).toMatchObject(FAILED);
  expect(await tool()).toMatchObject({ error: expect.stringContaining('No compensation of the run') });
});
