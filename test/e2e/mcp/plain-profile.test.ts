import { startService, type Body, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

/**
 * The bytes of the plain profile are a promise (wire contract, "MCP"): clients of the interface read them. What is new goes
 * to the official profile; a change of this snapshot breaks a client. Except for the `via` of a decision, which every record
 * has, these are the bytes from before there was another profile.
 */
let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a', 1)]));
  await service.register(document('gated', [gate('agree'), mock('b')]));
  await service.register(document('pausing', [mock('a', 1, { pause: 'after' }), mock('b')]));
  await service.register(
    document('failing', [{ id: 'a', uses: 'builtin.fail', config: { message: 'as it must' } }]),
  );
});
afterAll(() => service.close());

/** The whole response, except for what no two responses have in common. */
async function bytesOf(body: unknown, headers?: Record<string, string>): Promise<string> {
  const { status, headers: head, text } = await service.post('/mcp', body, headers);
  const { 'content-type': type } = head;
  return `${status} ${type}\n${masked(text)}`;
}

function masked(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/(\\?"(?:createdAt|updatedAt|timestamp|duration|decidedAt)\\?":)\d+(?:\.\d+)?/g, '$1<time>')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>');
}

const rpc = (method: unknown, params?: unknown) => bytesOf({ jsonrpc: '2.0', id: 1, method, params });
const tool = (name: unknown, args?: unknown) => rpc('tools/call', { name, arguments: args });

it('initialize', async () => {
  expect(await rpc('initialize')).toMatchSnapshot('without params');
  const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  expect(await rpc('initialize', params)).toMatchSnapshot('with params');
});

it('tools/list', async () => {
  expect(await rpc('tools/list')).toMatchSnapshot();
});

it('run_workflow', async () => {
  const input = { greeting: 'hello' };
  expect(await tool('run_workflow', { workflowId: 'plain', input })).toMatchSnapshot('at once');
  expect(await tool('run_workflow', { workflowId: 'plain', input, sync: true })).toMatchSnapshot(
    'to its end',
  );
  expect(await tool('run_workflow', { workflowId: 'gated', sync: true })).toMatchSnapshot('to a gate');
  expect(await tool('run_workflow', { workflowId: 'failing', sync: true })).toMatchSnapshot('to a failure');
});

it('get_run', async () => {
  for (const workflowId of ['plain', 'gated', 'failing']) {
    const { runId } = await service.start(workflowId);
    expect(await tool('get_run', { workflowId, runId })).toMatchSnapshot(workflowId);
  }
});

it('resume_run', async () => {
  const { runId } = await service.start('pausing');
  expect(await tool('resume_run', { workflowId: 'pausing', runId })).toMatchSnapshot();
});

it('respond_hitl', async () => {
  for (const said of [
    { approved: true },
    { approved: false, responder: 'ada', comment: 'not today' },
    { approved: true, responder: 'ada', comment: 'gladly' },
  ]) {
    const { runId } = await service.start('gated');
    expect(await tool('respond_hitl', { workflowId: 'gated', runId, ...said })).toMatchSnapshot(
      JSON.stringify(said),
    );
  }
});

it.each([
  ['an unknown workflow', 'run_workflow', { workflowId: 'nobody' }],
  ['an unknown run', 'get_run', { workflowId: 'plain', runId: 'x' }],
  ['an unknown run to resume', 'resume_run', { workflowId: 'plain', runId: 'x' }],
  ['an unknown run to decide', 'respond_hitl', { workflowId: 'plain', runId: 'x', approved: true }],
  ['no arguments', 'run_workflow', undefined],
  ['no runId', 'get_run', { workflowId: 'plain' }],
  ['arguments in a list', 'run_workflow', ['plain']],
  ['what is no input and no flag', 'run_workflow', { workflowId: 'plain', input: [], sync: 'yes' }],
  ['a name that is nearly right', 'run_workflow', { workflowId: 'plain', snyc: true }],
  ['a name that is nearly right, to read', 'get_run', { workflowID: 'plain', runId: 'x' }],
])('a tool that fails: %s', async (_name, name, args) => {
  expect(await tool(name, args)).toMatchSnapshot();
});

it('a run that cannot be resumed or decided', async () => {
  const { runId } = await service.start('plain');
  expect(await tool('resume_run', { workflowId: 'plain', runId })).toMatchSnapshot('resumed');
  expect(await tool('respond_hitl', { workflowId: 'plain', runId, approved: true })).toMatchSnapshot(
    'decided',
  );
  expect(await tool('respond_hitl', { workflowId: 'plain', runId, approved: 'yes' })).toMatchSnapshot(
    'not decided: approved is no boolean',
  );
});

it.each(['ping', 'notifications/initialized', 'resources/list', 'server/discover', 'prompts/list', ''])(
  'the method %j: -32601',
  async (method) => {
    expect(await rpc(method)).toMatchSnapshot();
  },
);

it.each([['list_workflows'], ['validate_workflow'], ['nothing'], [undefined], [7]])(
  'the tool %j: -32601',
  async (name) => {
    expect(await tool(name, {})).toMatchSnapshot();
  },
);

it.each(['{', 'hello', '', '[]', '{}', 'null', '7', '{"method":7,"id":1}', '{"jsonrpc":"1.0","method":"x"}'])(
  'the body %j',
  async (body) => {
    expect(await bytesOf(body)).toMatchSnapshot();
  },
);

it('a body that is not UTF-8, one that is too large, and one that is nested too deeply', async () => {
  expect(await bytesOf(Buffer.from([0x22, 0xff, 0x22]))).toMatchSnapshot('not UTF-8');
  expect(await bytesOf(`{"id":1,"x":"${'a'.repeat(9 * 1024 * 1024)}"}`)).toMatchSnapshot('too large');
  const deep = `${'['.repeat(500)}${']'.repeat(500)}`;
  const args = `{"workflowId":"plain","input":{"k":${deep}}}`;
  const call = `{"id":1.5,"method":"tools/call","params":{"name":"run_workflow","arguments":${args}}}`;
  expect(await bytesOf(call)).toMatchSnapshot('nested too deeply');
});

it.each(['1.50', '"x"', 'null', '12345678901234567890', '[]'])('the id %s', async (id) => {
  expect(await bytesOf(`{"jsonrpc":"2.0","id":${id},"method":"initialize"}`)).toMatchSnapshot();
});

it('a batch is one request too many', async () => {
  const batch: Body = [{ jsonrpc: '2.0', id: 1, method: 'initialize' }];
  expect(await bytesOf(batch)).toMatchSnapshot();
});
