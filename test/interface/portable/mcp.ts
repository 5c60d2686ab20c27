import assert from 'node:assert/strict';
import { gate, mock } from '../../support/workflow-documents.ts';
import type { Answer, Body, Caller } from '../support/caller.ts';
import { completed, has } from '../support/expectations.ts';
import { each, topic } from '../support/topic.ts';

const rpc = (service: Caller, method: unknown, params?: unknown): Promise<Answer> =>
  service.post('/mcp', { jsonrpc: '2.0', id: 1, method, params });

function recordOf(body: Body): Body {
  assert.equal(body.result?.isError, undefined, JSON.stringify(body));
  assert.deepEqual([body.jsonrpc, body.id, body.result.content.length], ['2.0', 1, 1]);
  assert.equal(body.result.content[0].type, 'text');
  return JSON.parse(body.result.content[0].text);
}

function errorOf(body: Body): string {
  assert.equal(body.result?.isError, true, JSON.stringify(body));
  return JSON.parse(body.result.content[0].text).error;
}

function rpcError({ status, body }: Answer, code: number): void {
  assert.deepEqual([status, body?.jsonrpc, body?.error?.code], [200, '2.0', code]);
  assert.equal(typeof body.error.message, 'string');
}

export const mcp = topic('POST /mcp', {
  'initialize answers with the protocol version, the capabilities and who serves': async (service) => {
    const { status, body } = await rpc(service, 'initialize');
    assert.equal(status, 200);
    has(body, {
      jsonrpc: '2.0',
      id: 1,
      result: { protocolVersion: '2024-11-05', capabilities: { tools: {} } },
    });
    assert.equal(body.result.serverInfo.version, '0.1.0');
  },
  'tools/list names the four tools with the schemas of their arguments': async (service) => {
    const { body } = await rpc(service, 'tools/list');
    const required = Object.fromEntries(body.result.tools.map((t: Body) => [t.name, t.inputSchema.required]));
    has(required, {
      run_workflow: ['workflowId'],
      get_run: ['workflowId', 'runId'],
      resume_run: ['workflowId', 'runId'],
      respond_hitl: ['workflowId', 'runId', 'approved'],
    });
  },
  'run_workflow starts a run, asynchronously by default': async (service) => {
    const workflowId = await service.register([mock('a', 1)]);
    for (const args of [{ workflowId }, { workflowId, input: null, sync: null }])
      assert.equal(recordOf(await service.tool('run_workflow', args)).status, 'running');
    const record = recordOf(
      await service.tool('run_workflow', { workflowId, input: { x: '1' }, sync: true }),
    );
    has(record, { status: 'completed', result: { state: { x: '1', 'output.a': 1 } } });
    assert.deepEqual(await service.read(record), record);
  },
  'get_run reads a run': async (service) => {
    const record = await service.run([mock('a')]);
    const { workflowId, runId } = record;
    assert.deepEqual(recordOf(await service.tool('get_run', { workflowId, runId })), record);
  },
  'resume_run resumes a run': async (service) => {
    const { workflowId, runId } = await service.run([mock('a', 1, { pause: 'after' }), mock('b')]);
    completed(recordOf(await service.tool('resume_run', { workflowId, runId, snapshotId: null })));
  },
  'respond_hitl decides': async (service) => {
    const { workflowId, runId } = await service.run([gate('agree')]);
    const args = { workflowId, runId, approved: false, responder: 'ada' };
    assert.equal(
      recordOf(await service.tool('respond_hitl', args)).error,
      `Rejected by ${service.responder('ada')} at gate agree`,
    );
  },
  ...each(
    (name) => `a tool that fails gives a result with isError whose text is JSON: ${name}`,
    {
      'an unknown workflow': [
        'run_workflow',
        { workflowId: 'nobody', sync: 'x' },
        'Unknown workflow: nobody',
      ],
      'an unknown run to read': ['get_run', { workflowId: 'x', runId: 'x' }, 'Unknown run: x'],
      'an unknown run to resume': ['resume_run', { workflowId: 'x', runId: 'x' }, 'Unknown run: x'],
      'an unknown run to decide': [
        'respond_hitl',
        { workflowId: 'x', runId: 'x', approved: true },
        'Unknown run: x',
      ],
      'no workflowId': ['run_workflow', {}, 'workflowId (string) is required'],
      'null arguments': ['run_workflow', null, 'workflowId (string) is required'],
      'no runId': ['get_run', { workflowId: 'x' }, 'runId (string) is required'],
      'arguments in a list': ['run_workflow', ['x'], 'arguments must be an object'],
    } as Record<string, readonly [string, unknown, string]>,
    async (service, [name, args, error]) => {
      assert.equal(errorOf(await service.tool(name, args)), error);
    },
  ),
  'converts no argument': async (service) => {
    const { workflowId, runId } = await service.run([gate('agree')]);
    assert.match(
      errorOf(await service.tool('respond_hitl', { workflowId, runId, approved: 'false' })),
      /^approved/,
    );
    const args = { workflowId, input: [], sync: 'yes' };
    assert.equal(
      errorOf(await service.tool('run_workflow', args)),
      'input must be an object\nsync must be true or false',
    );
  },
  'echoes the id as it came, and null for none': async (service) => {
    for (const id of ['1', '-7', '1.5', '"a \\" b"', '""', 'null', '12345678901234567890']) {
      const { text } = await service.post('/mcp', `{"jsonrpc":"2.0","id":${id},"method":"initialize"}`);
      assert.ok(text.startsWith(`{"jsonrpc":"2.0","id":${id},`), text);
    }
    const { body } = await service.post('/mcp', '{"method":"initialize"}');
    assert.equal(body.id, null);
  },
  'is 200 with -32601 for an unknown method or tool': async (service) => {
    for (const method of ['nothing', 'ping', 'notifications/initialized', '', 'toString'])
      rpcError(await rpc(service, method), -32601);
    for (const name of ['nothing', undefined, null, 7, {}, 'toString'])
      rpcError(await rpc(service, 'tools/call', { name, arguments: {} }), -32601);
  },
  'is 200 with -32700 for what is no JSON': async (service) => {
    for (const body of ['{', 'hello', new Uint8Array([0xff])])
      rpcError(await service.post('/mcp', body), -32700);
  },
  'is 200 with -32600 for what is no request object': async (service) => {
    for (const body of [
      '{}',
      '[]',
      '[{"id":1,"method":"initialize"}]',
      '7',
      'null',
      '{"method":7}',
      '{"id":{},"method":"initialize"}',
    ])
      rpcError(await service.post('/mcp', body), -32600);
    rpcError(await service.post('/mcp', ''), -32600);
  },
  'is 200 with an error for a body that is too large': async (service) => {
    const body = `{"method":"initialize","x":"${'a'.repeat(8 * 1024 * 1024)}"}`;
    const answer = await service.post('/mcp', body);
    rpcError(answer, -32600);
    assert.match(answer.body.error.message, /bytes/);
  },
  'reads a body of any content type': async (service) => {
    for (const type of ['text/plain', 'application/xml']) {
      const body = '{"id":1,"method":"initialize"}';
      const answer = await service.post('/mcp', body, { 'content-type': type });
      assert.deepEqual([type, answer.body?.result?.protocolVersion], [type, '2024-11-05']);
    }
  },
});
