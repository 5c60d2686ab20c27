import { BUILT_IN_ROLES } from '../../../src/engine/index.js';
import { BUILT_IN_TOOLS } from '../../../src/mcp/tools/tool-definitions.js';
import { TOOL_PERMISSIONS } from '../../../src/mcp/tools/tool-permissions.js';
import type { AccessInMemory } from '../../support/access.js';
import { connectMcp, REVISIONS, textsOf, type McpClient } from '../../support/mcp-clients.js';
import { startServiceWithAccess } from '../../support/service-with-access.js';
import type { Body, Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

let service: Service;
let access: AccessInMemory;
let admin: Record<string, string>;
beforeAll(async () => {
  ({ service, access } = await startServiceWithAccess({
    FLOWGATE_MCP_TOOLS: 'extended',
    FLOWGATE_MCP_WORKFLOW_TOOLS: 'true',
  }));
  admin = access.headersFor('*', 'admin');
  for (const yaml of [document('plain', [mock('a')]), document('gated', [gate('agree')])]) {
    expect((await service.post('/workflows/from-yaml', { yaml }, admin)).status).toBe(201);
  }
});
afterAll(() => service.close());

const ROLES = [...BUILT_IN_ROLES.keys()];
const permittedTo = (role: string): readonly string[] =>
  [...BUILT_IN_TOOLS.keys()].filter((name) =>
    TOOL_PERMISSIONS[name].every((permission) => BUILT_IN_ROLES.get(role)?.includes(permission)),
  );
const rpc = (method: string, params: object, headers: Record<string, string>) =>
  service.post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers);

it('each tool has the permissions that it needs', () => {
  expect(Object.keys(TOOL_PERMISSIONS).toSorted()).toEqual([...BUILT_IN_TOOLS.keys()].toSorted());
  for (const permissions of Object.values(TOOL_PERMISSIONS)) expect(permissions).not.toEqual([]);
});

describe('whom nobody knows', () => {
  it.each([
    ['plain JSON-RPC', {}],
    ['a revision of MCP', { accept: 'application/json, text/event-stream' }],
    [
      'a session',
      { accept: 'text/event-stream', 'mcp-session-id': 'x', 'mcp-protocol-version': '2025-11-25' },
    ],
  ])('gets 401 of HTTP before the gateway: %s', async (_profile, headers) => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const answer = await service.call(method, '/mcp', {
        headers,
        ...(method === 'POST' ? { body: '{' } : {}),
      });
      expect([answer.status, answer.headers['www-authenticate'], answer.body.code]).toEqual([
        401,
        'Bearer',
        'unauthorized',
      ]);
    }
  });

  it('is told which scopes to ask for, where the setting names some', async () => {
    const own = await startServiceWithAccess({
      FLOWGATE_AUTH: 'oidc',
      FLOWGATE_OIDC_ISSUER: 'https://login.example.com',
      FLOWGATE_OIDC_AUDIENCE: 'flowgate',
      FLOWGATE_OIDC_SCOPES: 'openid, flowgate.use',
    });
    for (const path of ['/mcp', '/nowhere']) {
      const { headers } = await own.service.get(path);
      expect(headers['www-authenticate']).toBe('Bearer scope="openid flowgate.use"');
    }
    await own.service.close();
  });
});

it('a namespace that is not granted, or none at all, is refused before the gateway', async () => {
  const headers = access.headersFor('billing', 'admin');
  const foreign = await rpc('tools/list', {}, { ...headers, 'flowgate-namespace': 'default' });
  expect([foreign.status, foreign.body.code]).toEqual([403, 'forbidden']);
  const none = await rpc('tools/list', {}, { ...headers, 'flowgate-namespace': 'A,B' });
  expect([none.status, none.body.code]).toEqual([400, 'invalid-request']);
});

describe.each(ROLES)('the role %s', (role) => {
  const headers = (): Record<string, string> => access.headersFor('default', role);

  it('is shown in plain JSON-RPC the tools that it may call, and no other', async () => {
    const { body } = await rpc('tools/list', {}, headers());
    expect(body.result.tools.map(({ name }: Body) => name)).toEqual(permittedTo(role));
  });

  it('is refused the other tools as a result that says so', async () => {
    const mine = headers();
    for (const name of BUILT_IN_TOOLS.keys()) {
      const { status, body } = await rpc('tools/call', { name, arguments: {} }, mine);
      const { isError, content } = body.result;
      const { code, details } = JSON.parse(content[0].text);
      if (permittedTo(role).includes(name)) expect([name, code]).not.toEqual([name, 'forbidden']);
      else {
        expect([name, status, isError, code]).toEqual([name, 200, true, 'forbidden']);
        const missing = TOOL_PERMISSIONS[name].find((one) => !BUILT_IN_ROLES.get(role)?.includes(one));
        expect(details).toEqual([{ permission: missing }]);
      }
    }
  });
});

describe.each(REVISIONS)('a client of %s', (revision) => {
  const clients: McpClient[] = [];
  const client = async (role: string): Promise<McpClient> => {
    const mcp = await connectMcp(service, revision, { headers: access.headersFor('default', role) });
    clients.push(mcp);
    return mcp;
  };
  afterAll(() => Promise.all(clients.map((mcp) => mcp.close())));

  it.each(ROLES)('is shown and called as the role %s may', async (role) => {
    const mcp = await client(role);
    const { tools } = await mcp.client.listTools(undefined, { cacheMode: 'bypass' });
    const mayRun = permittedTo(role).includes('run_workflow');
    const ofWorkflows = mayRun ? ['workflow_plain', 'workflow_gated'] : [];
    expect(tools.map(({ name }) => name)).toEqual([...permittedTo(role), ...ofWorkflows]);
    for (const [name, args] of [
      ['run_workflow', { workflowId: 'plain', sync: true }],
      ['workflow_plain', {}],
    ] as const) {
      if (name === 'workflow_plain' && !permittedTo(role).includes('list_workflows')) {
        // Whoever may not know of workflows is not told that there is one.
        await expect(mcp.tool(name, args)).rejects.toThrow('Unknown tool: workflow_plain');
        continue;
      }
      const result = await mcp.tool(name, args);
      if (mayRun) expect([name, result.isError ?? false]).toEqual([name, false]);
      else {
        expect([name, result.isError]).toEqual([name, true]);
        expect(JSON.parse(textsOf(result)[0]!)).toMatchObject({ code: 'forbidden' });
      }
    }
  });

  it('finds and reads the resources that it may', async () => {
    const [viewer, metrics] = [await client('viewer'), await client('metrics')];
    const uri = 'flowgate://workflows/plain';
    const listOf = async ({ client: of }: McpClient) => [
      (await of.listResources(undefined, { cacheMode: 'bypass' })).resources.length,
      (await of.listResourceTemplates(undefined, { cacheMode: 'bypass' })).resourceTemplates.length,
    ];
    expect(await listOf(viewer)).toEqual([2, 2]);
    expect(await listOf(metrics)).toEqual([0, 0]);
    expect((await viewer.client.readResource({ uri })).contents).toHaveLength(1);
    for (const other of [uri, 'flowgate://workflows/nowhere', 'flowgate://runs/nowhere']) {
      await expect(metrics.client.readResource({ uri: other })).rejects.toMatchObject({
        data: { code: 'forbidden' },
      });
    }
  });

  it('is helped to write documents if it may register them', async () => {
    const [author, viewer] = [await client('author'), await client('viewer')];
    const prompt = { name: 'write_workflow', arguments: { goal: 'Pays an invoice' } };
    expect((await author.client.listPrompts(undefined, { cacheMode: 'bypass' })).prompts).toHaveLength(1);
    expect((await author.client.getPrompt(prompt)).messages).toHaveLength(1);
    expect((await viewer.client.listPrompts(undefined, { cacheMode: 'bypass' })).prompts).toEqual([]);
    await expect(viewer.client.getPrompt(prompt)).rejects.toMatchObject({ data: { code: 'forbidden' } });
  });

  it('asks the person at it only what they may decide', async () => {
    const asked: string[] = [];
    const person = (): { action: 'accept'; content: { approved: boolean } } => {
      asked.push(revision);
      return { action: 'accept', content: { approved: true } };
    };
    const run = async (...roles: readonly string[]): Promise<Body> => {
      const mcp = await connectMcp(service, revision, {
        person,
        headers: access.headersFor('default', ...roles),
      });
      clients.push(mcp);
      return (await mcp.tool('run_workflow', { workflowId: 'gated', sync: true })).structuredContent;
    };
    expect((await run('operator')).status).toBe('paused');
    expect(asked).toEqual([]);
    expect((await run('operator', 'approver')).status).toBe('completed');
    expect(asked).toHaveLength(1);
  });
});
