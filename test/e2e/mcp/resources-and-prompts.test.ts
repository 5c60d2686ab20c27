import { jest } from '@jest/globals';
import { exampleDocument, writingGuide } from '../../../src/mcp/official/resources/writing-guide.js';
import { connectMcp, REVISIONS, dataOf, type McpClient } from '../../support/mcp-clients.js';
import { eventually } from '../../support/eventually.js';
import { startService, type Service } from '../../support/service.js';
import { document, mock } from '../../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService({ FLOWGATE_MCP_TOOLS: 'extended' });
});
afterAll(() => service.close());

describe.each(REVISIONS)('a client of %s', (revision) => {
  let mcp: McpClient;
  beforeAll(async () => {
    mcp = await connectMcp(service, revision);
  });
  afterAll(() => mcp.close());
  const read = async (uri: string) => {
    const { contents } = await mcp.client.readResource({ uri });
    const [content] = contents as { uri: string; mimeType?: string; text: string }[];
    expect(contents).toHaveLength(1);
    expect(content).toMatchObject({ uri, mimeType: 'application/json' });
    return JSON.parse(content!.text);
  };

  it('finds every workflow as a resource, whatever its id is, and reads it', async () => {
    const id = 'Zahlung über 5 €/Tag?#x';
    await service.register(document(id, [mock('a')]));
    const { resources } = await mcp.client.listResources(undefined, { cacheMode: 'bypass' });
    const found = resources.find(({ name }) => name === id);
    expect(found).toMatchObject({
      uri: `flowgate://workflows/${encodeURIComponent(id)}`,
      mimeType: 'application/json',
    });
    expect(await read(found!.uri)).toMatchObject({ workflowId: id, units: ['a'] });
    expect(await read(found!.uri)).toEqual(dataOf(await mcp.tool('describe_workflow', { workflowId: id })));
  });

  it('learns how workflows and runs are addressed', async () => {
    const { resourceTemplates } = await mcp.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'flowgate://workflows/{id}',
      'flowgate://runs/{runId}',
    ]);
  });

  it('reads a run by its id alone', async () => {
    await service.register(document('plain', [mock('a')]));
    const run = await service.start('plain');
    expect(await read(`flowgate://runs/${run.runId}`)).toEqual(run);
  });

  it.each([
    'flowgate://workflows/nobody',
    'flowgate://workflows/',
    'flowgate://runs/nothing',
    'flowgate://runs/',
    'flowgate://runs/%zz',
    'flowgate://elsewhere/x',
    'file:///etc/passwd',
  ])('%s is no resource', async (uri) => {
    await expect(mcp.client.readResource({ uri })).rejects.toMatchObject({
      // The code is of 2026-07-28; the SDK sends it to all.
      code: -32602,
      data: { uri },
    });
  });

  it('a cursor of no page is a wrong parameter', async () => {
    await expect(mcp.client.listResources({ cursor: 'nothing' })).rejects.toMatchObject({ code: -32602 });
  });

  it('is notified when workflows are registered', async () => {
    const onChanged = jest.fn();
    const listening = await connectMcp(service, revision, {
      options: { listChanged: { resources: { onChanged, autoRefresh: false, debounceMs: 0 } } },
    });
    await service.register(document(`new-for-${revision}`, [mock('a')]));
    await eventually(
      async () => onChanged.mock.calls.length,
      (count) => count === 1,
    );
    await listening.close();
  });

  it('gets a prompt that helps to write a document', async () => {
    const { prompts } = await mcp.client.listPrompts();
    expect(prompts).toMatchObject([
      { name: 'write_workflow', arguments: [{ name: 'goal', required: true }] },
    ]);
    const goal = 'Ask Ada before anything is paid';
    const { messages } = await mcp.client.getPrompt({ name: 'write_workflow', arguments: { goal } });
    expect(messages).toHaveLength(1);
    const { role, content } = messages[0]!;
    expect([role, content.type]).toEqual(['user', 'text']);
    expect((content as { text: string }).text).toContain(goal);
    expect((content as { text: string }).text).toContain(exampleDocument);
  });

  it.each([
    ['of another name', { name: 'nothing' }],
    ['without a goal', { name: 'write_workflow' }],
    ['with an empty goal', { name: 'write_workflow', arguments: { goal: ' ' } }],
    ['with a goal that is too long', { name: 'write_workflow', arguments: { goal: 'x'.repeat(10_001) } }],
  ])('a prompt %s is a wrong parameter', async (_name, params) => {
    await expect(mcp.client.getPrompt(params)).rejects.toMatchObject({ code: -32602 });
  });

  it('can check and register what the prompt shows, and run it', async () => {
    const { workflowId, warnings } = dataOf(await mcp.tool('validate_workflow', { yaml: exampleDocument }));
    expect([workflowId, warnings]).toEqual(['invoice-approval', []]);
    await mcp.tool('register_workflow', { yaml: exampleDocument });
    const input = { invoiceId: 'INV-7', amount: 12.5 };
    const paused = dataOf(await mcp.tool('run_workflow', { workflowId, input, sync: true }));
    expect([paused.status, JSON.stringify(paused.result.messages)]).toEqual([
      'paused',
      expect.stringContaining('Pay 12.5 for INV-7?'),
    ]);
    const { runId } = paused;
    const done = dataOf(await mcp.tool('respond_hitl', { workflowId, runId, approved: true }));
    expect(done).toMatchObject({
      status: 'completed',
      result: { completedUnits: ['extract', 'approve', 'pay'] },
    });
  });
});

it('what is disabled as a tool is no resource either', async () => {
  const few = await startService({ FLOWGATE_MCP_TOOLS: 'run_workflow' });
  await few.register(document('plain', [mock('a')]));
  const { runId } = await few.start('plain');
  const mcp = await connectMcp(few, '2026-07-28');
  expect((await mcp.client.listResources()).resources).toEqual([]);
  expect((await mcp.client.listResourceTemplates()).resourceTemplates).toEqual([]);
  for (const uri of ['flowgate://workflows/plain', `flowgate://runs/${runId}`]) {
    await expect(mcp.client.readResource({ uri })).rejects.toThrow('Resource not found');
  }
  await mcp.close();
  await few.close();
});

describe('the guide that the prompt is made of', () => {
  const flows = [...writingGuide.matchAll(/^ {2}- (\{ type: .*\})$/gm)].map(([, flow]) => flow!);

  it('names every kind of flow', () => {
    const kinds = flows.map((flow) => /type: (\w+)/.exec(flow)![1]);
    expect(kinds).toEqual([
      'sequential',
      'parallel',
      'router',
      'switch',
      'loop',
      'foreach',
      'dag',
      'delegation',
    ]);
  });

  it.each(flows)('%s is accepted', async (flow) => {
    // Where the guide says "one of these", the test uses the first.
    const chosen = flow.replaceAll(/([\w-]+)( \| [\w-]+)+/g, '$1');
    const names = [...new Set(chosen.match(/\b[abc]\b/g))];
    const units = names.map((id) => `    - { id: ${id}, uses: builtin.mock }`).join('\n');
    const yaml = `apiVersion: flowgate/v1\nkind: Workflow\nmetadata: { id: flow-of-the-guide }\nspec:\n  units:\n${units}\n  flow: ${chosen}\n`;
    expect(await service.register(yaml)).toBe('flow-of-the-guide');
  });
});
