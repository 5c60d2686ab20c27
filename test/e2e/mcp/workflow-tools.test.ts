import { jest } from '@jest/globals';
import type { Tool } from '@modelcontextprotocol/client';
import { Engine } from '../../../src/index.js';
import {
  connectMcp,
  REVISIONS,
  dataOf,
  type ClientSetup,
  type McpClient,
} from '../../support/mcp-clients.js';
import { eventually } from '../../support/eventually.js';
import { startService, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

let service: Service;
const clients: McpClient[] = [];
beforeEach(async () => {
  service = await startService({ FLOWGATE_MCP_WORKFLOW_TOOLS: 'true' });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((mcp) => mcp.close()));
  await service.close();
});

async function client(revision: (typeof REVISIONS)[number], setup: ClientSetup = {}): Promise<McpClient> {
  const mcp = await connectMcp(service, revision, setup);
  clients.push(mcp);
  return mcp;
}

interface Metadata {
  readonly description?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

const described = (id: string, metadata: Metadata, spec: object = {}): string => {
  const whole = JSON.parse(document(id, [mock('a')], spec));
  return JSON.stringify({ ...whole, metadata: { id, ...metadata } });
};
const OWN = 9;
const workflowTools = async (mcp: McpClient): Promise<Tool[]> =>
  (await mcp.client.listTools(undefined, { cacheMode: 'bypass' })).tools.slice(OWN);
const names = async (mcp: McpClient) => (await workflowTools(mcp)).map(({ name }) => name);

describe.each(REVISIONS)('to a client of %s', (revision) => {
  it('a workflow is a tool that takes its input', async () => {
    const input = {
      type: 'object',
      required: ['amount'],
      properties: { amount: { type: 'number', minimum: 0 } },
    };
    await service.register(described('invoice', { description: 'Pays an invoice.' }, { input }));
    const mcp = await client(revision);
    expect(await workflowTools(mcp)).toMatchObject([
      {
        name: 'workflow_invoice',
        title: 'invoice',
        description: 'Pays an invoice.',
        inputSchema: input,
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: false },
      },
    ]);
    const record = dataOf(await mcp.tool('workflow_invoice', { amount: 3 }));
    expect(record).toMatchObject({
      status: 'completed',
      workflowId: 'invoice',
      result: { state: { amount: 3 } },
    });
    const unfit = await mcp.tool('workflow_invoice', { amount: 'three' });
    expect([unfit.isError, JSON.stringify(unfit.content)]).toEqual([true, expect.stringContaining('amount')]);
  });

  it('one that waits for a person asks them', async () => {
    await service.register(document('gated', [gate('agree'), mock('b')]));
    const person = () => ({ action: 'accept' as const, content: { approved: true } });
    const mcp = await client(revision, { person });
    expect(dataOf(await mcp.tool('workflow_gated', { x: 1 }))).toMatchObject({
      status: 'completed',
      result: { state: { x: 1 } },
    });
  });

  it('that registers are announced, in batches', async () => {
    const onChanged = jest.fn();
    const setUp = { listChanged: { tools: { onChanged, autoRefresh: false, debounceMs: 0 } } };
    const mcp = await client(revision, { options: setUp });
    expect(await names(mcp)).toEqual([]);
    for (let i = 0; i < 10; i += 1) await service.register(document(`w${i}`, [mock('a')]));
    await eventually(
      async () => onChanged.mock.calls.length,
      (count) => count > 0,
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(onChanged).toHaveBeenCalledTimes(1);
    expect(await names(mcp)).toHaveLength(10);
  });
});

describe('the name of a tool', () => {
  it.each([
    ['plain-id_7', /^workflow_plain-id_7$/],
    ['Zahlung über 5 €', /^workflow_Zahlung_ber_5__[0-9a-f]{8}$/],
    ['工作流', /^workflow___[0-9a-f]{8}$/],
    ['a/b.c', /^workflow_a_b_c_[0-9a-f]{8}$/],
    ['x'.repeat(200), /^workflow_x{46}_[0-9a-f]{8}$/],
  ])('of the id %j is one that every client accepts', async (id, name) => {
    await service.register(described(id, {}));
    const mcp = await client('2026-07-28');
    const [only] = await names(mcp);
    expect(only).toMatch(name);
    expect(only).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(dataOf(await mcp.tool(only!)).workflowId).toBe(id);
  });

  it('is never that of another', async () => {
    for (const id of ['a b', 'a.b', 'a/b', 'a_b']) await service.register(described(id, {}));
    const mcp = await client('2026-07-28');
    const all = await names(mcp);
    expect(new Set(all).size).toBe(4);
    const ids = await Promise.all(all.map(async (name) => dataOf(await mcp.tool(name)).workflowId));
    expect(ids).toEqual(['a b', 'a.b', 'a/b', 'a_b']);
  });

  it('and its title may be chosen by the document; it may be hidden', async () => {
    await service.register(
      described('one', { annotations: { 'mcp.name': 'pay_invoice', 'mcp.title': 'Pay an invoice' } }),
    );
    await service.register(described('two', { annotations: { 'mcp.hidden': true } }));
    await service.register(described('three', { annotations: { 'mcp.hidden': 'true' } }));
    await service.register(described('four', { annotations: { 'mcp.hidden': false, 'mcp.title': 7 } }));
    const mcp = await client('2026-07-28');
    expect((await workflowTools(mcp)).map(({ name, title }) => [name, title])).toEqual([
      ['pay_invoice', 'Pay an invoice'],
      ['workflow_four', 'four'],
    ]);
    expect(dataOf(await mcp.tool('pay_invoice')).workflowId).toBe('one');
    for (const name of ['workflow_one', 'workflow_two', 'workflow_three']) {
      await expect(mcp.tool(name)).rejects.toMatchObject({ code: -32601 });
    }
    // Hidden from the list of tools only.
    expect(dataOf(await mcp.tool('run_workflow', { workflowId: 'two', sync: true })).status).toBe(
      'completed',
    );
  });

  it('that is chosen twice, is one of ours or is invalid is made from the id', async () => {
    const chosen = (id: string, name: unknown) =>
      service.register(described(id, { annotations: { 'mcp.name': name } }));
    await chosen('first', 'same');
    await chosen('second', 'same');
    await chosen('third', 'run_workflow');
    await chosen('fourth', 'register_workflow');
    await chosen('fifth', 'no name!');
    await chosen('sixth', 7);
    await chosen('seventh', 'workflow_eighth');
    await service.register(described('eighth', {}));
    const mcp = await client('2026-07-28');
    const all = await names(mcp);
    expect(all.slice(0, 7)).toEqual([
      'same',
      'workflow_second',
      'workflow_third',
      'workflow_fourth',
      'workflow_fifth',
      'workflow_sixth',
      // A workflow that is registered later keeps its name.
      'workflow_seventh',
    ]);
    expect(all[7]).toBe('workflow_eighth');
    const ids = await Promise.all(all.slice(6).map(async (name) => dataOf(await mcp.tool(name)).workflowId));
    expect(ids).toEqual(['seventh', 'eighth']);
    expect((await mcp.client.listTools()).tools.filter(({ name }) => name === 'run_workflow')).toHaveLength(
      1,
    );
  });
});

describe('the tools', () => {
  it('are what is registered now', async () => {
    const mcp = await client('2026-07-28');
    await service.register(described('w', { description: 'old' }));
    expect((await workflowTools(mcp))[0]?.description).toBe('old');
    await service.register(described('w', { description: 'new' }));
    expect((await workflowTools(mcp))[0]?.description).toBe('new');
  });

  it('are computed once, however often they are requested', async () => {
    for (let i = 0; i < 20; i += 1) await service.register(document(`w${i}`, [mock('a')]));
    const describe = jest.spyOn(service.app.get(Engine).workflows, 'describe');
    const mcp = await client('2026-07-28');
    const call = () => expect(mcp.tool('nothing')).rejects.toMatchObject({ code: -32601 });
    await call();
    expect(describe).toHaveBeenCalledTimes(20);
    await service.register(described('w7', { description: 'new' }));
    await eventually(
      async () => call().then(() => describe.mock.calls.length),
      (times) => times > 20,
    );
    expect(describe).toHaveBeenCalledTimes(21);
  });

  it('come in pages', async () => {
    for (let i = 0; i < 510; i += 1) await service.register(document(`w${i}`, [mock('a')]));
    const mcp = await client('2026-07-28');
    const first = await mcp.client.listTools({ cursor: undefined } as never);
    expect((await mcp.client.listTools()).tools).toHaveLength(510 + OWN);
    expect(first.tools.length).toBeGreaterThan(0);
    await expect(mcp.client.listTools({ cursor: 'nothing' })).rejects.toMatchObject({ code: -32602 });
  });

  it('are none without the setting, and no client is notified', async () => {
    const plain = await startService();
    await plain.register(document('w', [mock('a')]));
    const mcp = await connectMcp(plain, '2025-11-25');
    expect((await mcp.client.listTools()).tools).toHaveLength(OWN);
    await expect(mcp.tool('workflow_w')).rejects.toMatchObject({ code: -32601 });
    expect(mcp.client.getServerCapabilities()?.tools?.listChanged).toBeUndefined();
    await mcp.close();
    await plain.close();
  });

  it('do not exist in the plain profile', async () => {
    await service.register(document('w', [mock('a')]));
    const { body } = await service.post('/mcp', { id: 1, method: 'tools/list' });
    expect(body.result.tools).toHaveLength(4);
    const call = { id: 1, method: 'tools/call', params: { name: 'workflow_w' } };
    expect((await service.post('/mcp', call)).body.error.code).toBe(-32601);
  });

  it('are there without run_workflow as well', async () => {
    const only = await startService({
      FLOWGATE_MCP_WORKFLOW_TOOLS: 'true',
      FLOWGATE_MCP_TOOLS: '-run_workflow',
    });
    await only.register(document('w', [mock('a')]));
    const mcp = await connectMcp(only, '2026-07-28');
    expect(dataOf(await mcp.tool('workflow_w')).status).toBe('completed');
    await mcp.close();
    await only.close();
  });
});
