import { startService, type Body, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a', 1)]));
  await service.register(document('gated', [gate('agree'), mock('b')]));
  await service.register(document('pausing', [mock('a', 1, { pause: 'after' }), mock('b')]));
});
afterAll(() => service.close());

const send = (body: unknown, headers?: Record<string, string>) => service.post('/mcp', body, headers);
const rpc = (method: unknown, params?: unknown) => send({ jsonrpc: '2.0', id: 1, method, params });
const tool = async (name: unknown, args?: unknown) =>
  (await rpc('tools/call', { name, arguments: args })).body;
const recordOf = (body: Body) => {
  expect(body).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: expect.any(String) }] },
  });
  return JSON.parse(body.result.content[0].text);
};
const errorOf = (body: Body) => {
  expect(body.result).toMatchObject({ content: [{ type: 'text' }], isError: true });
  return JSON.parse(body.result.content[0].text);
};

describe('initialize', () => {
  it('answers with the protocol version, the capabilities and who serves', async () => {
    const { status, body } = await rpc('initialize');
    expect(status).toBe(200);
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'flowgate', version: '0.1.0' },
      },
    });
  });

  it.each([
    [{ protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'x', version: '1' } }],
    [{ protocolVersion: '2025-06-18' }],
    [null],
    [[]],
    ['text'],
  ])('is the same with params %j', async (params) => {
    expect((await rpc('initialize', params)).body.result.protocolVersion).toBe('2024-11-05');
  });

  it('names the server as FLOWGATE_SERVER_NAME says', async () => {
    const named = await startService({ FLOWGATE_SERVER_NAME: 'acme flows' });
    const { body } = await named.post('/mcp', { method: 'initialize' });
    expect(body.result.serverInfo).toEqual({ name: 'acme flows', version: '0.1.0' });
    await named.close();
  });
});

describe('tools/list', () => {
  it('names the four tools with the schemas of their arguments', async () => {
    const { status, body } = await rpc('tools/list');
    expect(status).toBe(200);
    const required = Object.fromEntries(body.result.tools.map((t: Body) => [t.name, t.inputSchema.required]));
    expect(required).toEqual({
      run_workflow: ['workflowId'],
      get_run: ['workflowId', 'runId'],
      resume_run: ['workflowId', 'runId'],
      respond_hitl: ['workflowId', 'runId', 'approved'],
    });
    for (const { description, inputSchema } of body.result.tools) {
      expect(description).toEqual(expect.any(String));
      expect(inputSchema.type).toBe('object');
      expect(Object.keys(inputSchema.properties)).toEqual(expect.arrayContaining(inputSchema.required));
    }
  });
});

describe('tools/call', () => {
  it('run_workflow starts a run, asynchronously by default', async () => {
    const record = recordOf(await tool('run_workflow', { workflowId: 'plain' }));
    expect(record).toMatchObject({ workflowId: 'plain', status: 'running' });
    expect(record).not.toHaveProperty('result');
  });

  it('run_workflow with sync gives the finished record', async () => {
    const record = recordOf(await tool('run_workflow', { workflowId: 'plain', input: { x: 1 }, sync: true }));
    expect(record).toMatchObject({ status: 'completed', result: { state: { x: 1, 'output.a': 1 } } });
    expect(await service.run(record)).toEqual(record);
  });

  it('accepts null for what is optional', async () => {
    const args = { workflowId: 'plain', input: null, sync: null };
    expect(recordOf(await tool('run_workflow', args)).status).toBe('running');
  });

  it('get_run reads a run', async () => {
    const run = await service.start('plain');
    expect(recordOf(await tool('get_run', { workflowId: 'plain', runId: run.runId }))).toEqual(run);
  });

  it('resume_run resumes', async () => {
    const { runId } = await service.start('pausing');
    const args = { workflowId: 'pausing', runId, snapshotId: null };
    expect(recordOf(await tool('resume_run', args)).status).toBe('completed');
  });

  it('respond_hitl decides, as user by default', async () => {
    const runs = [await service.start('gated'), await service.start('gated')];
    const one = recordOf(
      await tool('respond_hitl', { workflowId: 'gated', runId: runs[0]!.runId, approved: true }),
    );
    expect(one.result.state['hitl.responder']).toBe('user');
    const args = { workflowId: 'gated', runId: runs[1]!.runId, approved: false, responder: 'ada' };
    const other = recordOf(await tool('respond_hitl', args));
    expect(other).toMatchObject({ status: 'failed', error: 'Rejected by ada at gate agree' });
  });
});

it('a decision says how it arrived, next to the name that it claims', async () => {
  const deciders = [
    [
      'mcp',
      (runId: string) =>
        tool('respond_hitl', { workflowId: 'gated', runId, approved: true, responder: 'the CEO' }),
    ],
    [
      'http',
      (runId: string) =>
        service.post(`/workflows/gated/runs/${runId}/hitl`, { approved: true, responder: 'the CEO' }),
    ],
  ] as const;
  for (const [via, decide] of deciders) {
    const { runId } = await service.start('gated');
    await decide(runId);
    const { messages, state } = (await service.run({ workflowId: 'gated', runId })).result!;
    expect(messages.filter(({ type }) => type === 'hitl-response')).toMatchObject([
      { approved: true, responder: 'the CEO', via },
    ]);
    expect(state).toMatchObject({ 'hitl.responder': 'the CEO' });
  }
});

describe('a tool that fails', () => {
  it.each([
    ['an unknown workflow', 'run_workflow', { workflowId: 'nobody', sync: 'x' }, 'Unknown workflow: nobody'],
    ['an unknown run to read', 'get_run', { workflowId: 'plain', runId: 'x' }, 'Unknown run: x'],
    ['an unknown run to resume', 'resume_run', { workflowId: 'plain', runId: 'x' }, 'Unknown run: x'],
    [
      'an unknown run to decide',
      'respond_hitl',
      { workflowId: 'plain', runId: 'x', approved: true },
      'Unknown run: x',
    ],
    ['no workflowId', 'run_workflow', {}, 'workflowId (string) is required'],
    ['no arguments', 'run_workflow', undefined, 'workflowId (string) is required'],
    ['null arguments', 'run_workflow', null, 'workflowId (string) is required'],
    [
      'a workflowId that is no string',
      'get_run',
      { workflowId: 1, runId: 'x' },
      'workflowId (string) is required',
    ],
    ['no runId', 'get_run', { workflowId: 'plain' }, 'runId (string) is required'],
    ['arguments in a list', 'run_workflow', ['plain'], 'arguments must be an object'],
    ['arguments as text', 'run_workflow', '{}', 'arguments must be an object'],
  ])('%s: a result with isError whose text is JSON', async (_name, name, args, error) => {
    expect(errorOf(await tool(name, args))).toEqual({
      error,
      code: expect.stringMatching(/^(unknown-workflow|unknown-run|invalid-request)$/),
    });
  });

  it('names what is wrong with an argument', async () => {
    const body = errorOf(await tool('run_workflow', { workflowId: 'plain', input: [], sync: 'yes' }));
    expect(body.error).toBe('input must be an object\nsync must be true or false');
    const { runId } = await service.start('gated');
    const args = { workflowId: 'gated', runId, approved: 'false' };
    expect(errorOf(await tool('respond_hitl', args)).error).toMatch(/^approved/);
  });
});

describe('the id', () => {
  const idOf = async (text: string) => {
    const answer = await send(text);
    return answer.text.match(/^\{"jsonrpc":"2.0","id":(.*?),"(?:result|error)"/)?.[1];
  };

  it.each([
    '1',
    '0',
    '-7',
    '1.5',
    '"1"',
    '"a \\" b"',
    '""',
    'null',
    '12345678901234567890',
    '-98765432109876543210',
    '1e400',
  ])('%s is echoed as it came', async (id) => {
    expect(await idOf(`{"jsonrpc":"2.0","id":${id},"method":"initialize"}`)).toBe(id);
    expect(await idOf(`{"params":{"id":3},"method":"nothing","id":${id}}`)).toBe(id);
  });

  it.each(['1.5', '12345678901234567890', '1e400', '7'])(
    '%s is echoed however deep the params are, and whatever is next to it',
    async (id) => {
      for (const depth of [10, 5_000, 1_000_000]) {
        const deep = `${'['.repeat(depth)}{"id":3}${']'.repeat(depth)}`;
        expect(await idOf(`{"method":"nothing","id": ${id} ,"params":${deep}}`)).toBe(id);
        expect(await idOf(`{"params":{"id":${deep}},"id":2,"a\\"id":4,"\\u0069\\u0064":\n${id}}`)).toBe(id);
      }
    },
  );

  it('comes back with the sentence that says how deep arguments may be', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { status, body } = await send(
      `{"id":1.5,"method":"tools/call","params":{"name":"run_workflow","arguments":{"workflowId":"plain","input":{"k":${deep}}}}}`,
    );
    expect([status, body.id, body.result.isError]).toEqual([200, 1.5, true]);
    expect(JSON.parse(body.result.content[0].text).error).toMatch(/nested too deeply: more than 256 levels/);
  });

  it('is null when it is absent, also for a notification', async () => {
    expect(await idOf('{"method":"initialize"}')).toBe('null');
    expect(await idOf('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toBe('null');
  });

  it.each(['{}', '[]', 'true'])('%s is no id: -32600', async (id) => {
    const { status, body } = await send(`{"id":${id},"method":"initialize"}`);
    expect([status, body.id, body.error.code]).toEqual([200, null, -32600]);
  });
});

describe('what is refused, always with status 200', () => {
  it.each(['nothing', 'ping', 'notifications/initialized', 'resources/list', '', 'toString', '__proto__'])(
    'the method %j: -32601',
    async (method) => {
      const { status, body } = await rpc(method);
      expect(status).toBe(200);
      expect(body).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: expect.any(String) } });
    },
  );

  it.each([['nothing'], [undefined], [null], [7], [{}], ['toString'], ['']])(
    'the tool %j: -32601',
    async (name) => {
      const { status, body } = await rpc('tools/call', { name, arguments: {} });
      expect(status).toBe(200);
      expect(body).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: expect.any(String) } });
    },
  );

  it.each([[undefined], [null], [[]], ['x']])('tools/call with params %j: -32601', async (params) => {
    expect((await rpc('tools/call', params)).body.error.code).toBe(-32601);
  });

  it.each(['{', 'hello', Buffer.from([0xff])])('no JSON: -32700 (%s)', async (body) => {
    const answer = await send(body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: expect.any(String) },
    });
  });

  it.each([
    '',
    '{}',
    '[]',
    '[{"jsonrpc":"2.0","id":1,"method":"initialize"}]',
    '7',
    'null',
    '{"method":7}',
    '{"method":null,"id":1}',
    '{"jsonrpc":"1.0","method":"initialize"}',
  ])('no request object: -32600 (%s)', async (body) => {
    const answer = await send(body);
    expect([answer.status, answer.body.error.code]).toEqual([200, -32600]);
    expect(answer.body.error.message).toEqual(expect.any(String));
  });

  it('a body that is too large: 200 with an error', async () => {
    const { status, body } = await send(`{"method":"initialize","x":"${'a'.repeat(8 * 1024 * 1024)}"}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: expect.stringContaining('bytes') },
    });
  });
});

it.each(['text/plain', 'application/xml', ''])('reads a body of the content type %j', async (type) => {
  const { body } = await send({ id: 1, method: 'initialize' }, { 'content-type': type });
  expect(body.result.protocolVersion).toBe('2024-11-05');
});
