import type { INestApplication } from '@nestjs/common';
import { until } from '../../support/eventually.js';
import { ADAPTERS, startHost } from '../../support/host.js';
import { connectMcp, REVISIONS, type McpClient } from '../../support/mcp-clients.js';
import { serviceOf, type Answer, type Service } from '../../support/service.js';
import { document, gate } from '../../support/workflow-documents.js';
import { as, knowingPersons } from './support/known-persons.js';

const GRANTS = {
  ann: [{ namespace: '*', roles: ['admin'] }],
  bob: [{ namespace: 'acme', roles: ['operator', 'approver'], workflows: ['pay*'] }],
  eve: [{ namespace: 'other', roles: ['admin'] }],
};
const ANN = as('ann', 'acme');
const BOB = as('bob', 'acme');
const EVE = as('eve', 'other');

let app: INestApplication;
let service: Service;
let clients: McpClient[] = [];
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
  await app.close();
});

async function started(adapter: (typeof ADAPTERS)[number] = 'express'): Promise<void> {
  const flowgate = { prefix: '', mcp: { workflowTools: true, tools: ['extended'] } };
  app = await startHost({ adapter, flowgate, setUp: knowingPersons(GRANTS) });
  service = serviceOf(app);
  for (const [headers, id] of [
    [ANN, 'pay'],
    [ANN, 'secret'],
    [EVE, 'pay'],
  ] as const)
    await service.post('/workflows/from-yaml', { yaml: document(id, [gate('agree')]) }, headers);
}
const get = (path: string, headers: Record<string, string>): Promise<Answer> =>
  service.call('GET', path, { headers });
const begun = async (workflowId: string, headers: Record<string, string>): Promise<string> =>
  (await service.post(`/workflows/${workflowId}/runs`, { sync: true }, headers)).body.runId as string;
const connect = async (
  revision: (typeof REVISIONS)[number],
  headers: Record<string, string>,
  options = {},
) => {
  const client = await connectMcp(service, revision, { headers, options });
  clients.push(client);
  return client;
};

describe.each(ADAPTERS)('a request of a principal on %s', (adapter) => {
  it('is served in its namespace, and of its workflows', async () => {
    await started(adapter);
    const [pay, secret, foreign] = [
      await begun('pay', ANN),
      await begun('secret', ANN),
      await begun('pay', EVE),
    ];
    const runIds = async (headers: Record<string, string>) =>
      (await get('/runs', headers)).body.items.map(({ runId }: { runId: string }) => runId).sort();
    expect(await runIds(ANN)).toEqual([pay, secret].sort());
    expect(await runIds(BOB)).toEqual([pay]);
    expect(await runIds(EVE)).toEqual([foreign]);
    expect((await get('/gates', BOB)).body).toMatchObject({ open: 1, items: [{ runId: pay }] });
    expect((await get('/workflows', BOB)).body.workflows).toEqual(['pay']);
    for (const path of [`/runs/${secret}`, `/workflows/secret/runs/${secret}`, `/runs/${foreign}`]) {
      expect(await get(path, BOB)).toMatchObject({ status: 404, body: { code: 'unknown-run' } });
    }
    expect(await get('/workflows/secret', BOB)).toMatchObject({
      status: 404,
      body: { code: 'unknown-workflow' },
    });
    // Nobody is authenticated in the namespace default, where there is nothing.
    expect((await service.get('/runs')).body.items).toEqual([]);
  });

  it('is refused what is not permitted, and the responder is who is known', async () => {
    await started(adapter);
    const runId = await begun('pay', BOB);
    const path = `/workflows/pay/runs/${runId}`;
    const forbidden = (permission: string) => ({
      status: 403,
      body: { code: 'forbidden', details: [{ permission }] },
    });
    expect(await get(`${path}/export`, BOB)).toMatchObject(forbidden('run:export'));
    const yaml = document('pay', [gate('agree')]);
    expect(await service.post('/workflows/from-yaml', { yaml }, BOB)).toMatchObject(
      forbidden('workflow:register'),
    );
    expect(await service.call('DELETE', '/workflows/pay', { headers: BOB })).toMatchObject(
      forbidden('workflow:register'),
    );
    const body = { approved: true, responder: 'the CEO' };
    const decided = await service.post(`${path}/hitl`, body, BOB);
    expect(decided.body.result.state['output.agree']).toMatchObject({ responder: 'bob' });
  });

  it('is answered by no key of another account', async () => {
    await started(adapter);
    const start = (headers: Record<string, string>) =>
      service.post('/workflows/pay/runs', {}, { ...headers, 'Idempotency-Key': 'k' });
    const first = await start(ANN);
    expect((await start(ANN)).body.runId).toBe(first.body.runId);
    expect(await start(BOB)).toMatchObject({ status: 409, body: { code: 'idempotency-conflict' } });
    expect((await start(EVE)).status).toBe(202);
  });
});

describe('a stream of a principal', () => {
  it('tells of what is theirs, and is refused before it begins', async () => {
    await started();
    const frames = async (path: string, headers: Record<string, string>): Promise<string> => {
      const ended = new AbortController();
      const response = await fetch(`${service.url}${path}`, {
        headers: { ...headers, accept: 'text/event-stream' },
        signal: ended.signal,
      });
      if (!response.ok || response.body === null) return response.text();
      let text = '';
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        if (text.includes('data:')) break;
      }
      ended.abort();
      return text;
    };
    const [secret, pay] = [await begun('secret', ANN), await begun('pay', ANN)];
    for (const path of ['/runs', '/gates']) {
      const text = await frames(path, BOB);
      expect([text.includes(pay), text.includes(secret)]).toEqual([true, false]);
    }
    const nobody = as('nobody', 'acme');
    for (const path of ['/runs', '/gates', '/events', `/workflows/pay/runs/${pay}/events`])
      expect(await frames(path, nobody)).toContain('"code":"forbidden"');
    expect(await frames(`/workflows/secret/runs/${secret}/events`, BOB)).toContain('"code":"unknown-run"');
  });
});

describe('the plain gateway', () => {
  it('acts as the principal, too', async () => {
    await started();
    const [pay, secret] = [await begun('pay', ANN), await begun('secret', ANN)];
    const tool = async (name: string, args: object, headers: Record<string, string>) => {
      const params = { name, arguments: args };
      const { body } = await service.post('/mcp', { method: 'tools/call', params }, headers);
      return { isError: body.result.isError ?? false, ...JSON.parse(body.result.content[0].text) };
    };
    expect(await tool('get_run', { runId: pay }, BOB)).toMatchObject({ runId: pay });
    expect(await tool('get_run', { runId: secret }, BOB)).toMatchObject({
      isError: true,
      code: 'unknown-run',
    });
    expect(await tool('register_workflow', { yaml: document('pay', [gate('agree')]) }, BOB)).toMatchObject({
      isError: true,
      code: 'forbidden',
      details: [{ permission: 'workflow:register' }],
    });
    const vote = { workflowId: 'pay', runId: pay, approved: true, responder: 'the CEO' };
    expect(await tool('respond_hitl', vote, BOB)).toMatchObject({
      result: { state: { 'output.agree': { responder: 'bob' } } },
    });
  });
});

describe.each(REVISIONS)('a client of %s', (revision) => {
  it('sees the tools, resources and runs of its namespace and scope', async () => {
    await started();
    const secret = await begun('secret', ANN);
    const [ann, bob, eve] = [
      await connect(revision, ANN),
      await connect(revision, BOB),
      await connect(revision, EVE),
    ];
    const workflowTools = async ({ client }: McpClient) =>
      (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith('workflow_'));
    expect(await workflowTools(ann)).toEqual(['workflow_pay', 'workflow_secret']);
    expect(await workflowTools(bob)).toEqual(['workflow_pay']);
    expect(await workflowTools(eve)).toEqual(['workflow_pay']);
    expect((await bob.client.listResources()).resources.map(({ name }) => name)).toEqual(['pay']);
    await expect(bob.client.readResource({ uri: `flowgate://runs/${secret}` })).rejects.toThrow(
      `flowgate://runs/${secret}`,
    );
    await expect(bob.client.readResource({ uri: 'flowgate://workflows/secret' })).rejects.toThrow(
      'flowgate://workflows/secret',
    );
    expect((await bob.tool('list_runs')).structuredContent).toEqual({ runs: [] });
    expect(await bob.tool('run_workflow', { workflowId: 'secret' })).toMatchObject({ isError: true });
    expect((await ann.tool('list_runs')).structuredContent).toMatchObject({ runs: [{ runId: secret }] });
  });

  it('is notified of changes in its own namespace alone', async () => {
    await started();
    const changes = { acme: 0, other: 0 };
    const counting = (namespace: keyof typeof changes) => ({
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void (changes[namespace] += 1) },
      },
    });
    await connect(revision, BOB, counting('acme'));
    await connect(revision, EVE, counting('other'));
    const register = (headers: Record<string, string>) =>
      service.post('/workflows/from-yaml', { yaml: document('pay-more', [gate('agree')]) }, headers);
    await register(ANN);
    await until(() => changes.acme > 0, 'the client of the namespace is notified');
    expect(changes.other).toBe(0);
    await register(EVE);
    await until(() => changes.other > 0, 'the other one is, of its own');
    expect(changes.acme).toBe(1);
  });
});

it('a session of a person in a namespace is one of nobody else, nor in another namespace', async () => {
  await started();
  const ann = await connect('2025-11-25', ANN);
  const { sessionId } = ann.transport;
  const listed = (headers: Record<string, string>) =>
    service.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      {
        ...headers,
        accept: 'application/json, text/event-stream',
        'mcp-session-id': sessionId ?? '',
        'mcp-protocol-version': '2025-11-25',
      },
    );
  expect((await listed(ANN)).status).toBe(200);
  for (const headers of [BOB, as('ann', 'other'), {}]) expect((await listed(headers)).status).toBe(404);
});
