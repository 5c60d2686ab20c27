import { startService, type Body, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a', 1)]));
  await service.register(document('gated', [gate('agree'), mock('b')]));
});
afterAll(() => service.close());

const send = (body: unknown, headers?: Record<string, string>) => service.post('/mcp', body, headers);
const rpc = (method: unknown, params?: unknown) => send({ jsonrpc: '2.0', id: 1, method, params });
const tool = async (name: unknown, args?: unknown) =>
  (await rpc('tools/call', { name, arguments: args })).body;
const errorOf = (body: Body) => {
  expect(body.result).toMatchObject({ content: [{ type: 'text' }], isError: true });
  return JSON.parse(body.result.content[0].text);
};

describe('initialize', () => {
  it.each([[{ protocolVersion: '2025-06-18' }], [null], [[]], ['text']])(
    'is the same with params %j',
    async (params) => {
      expect((await rpc('initialize', params)).body.result.protocolVersion).toBe('2024-11-05');
    },
  );

  it('names the server as FLOWGATE_SERVER_NAME says', async () => {
    const named = await startService({ FLOWGATE_SERVER_NAME: 'acme flows' });
    const { body } = await named.post('/mcp', { method: 'initialize' });
    expect(body.result.serverInfo).toEqual({ name: 'acme flows', version: '0.1.0' });
    await named.close();
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
    [
      'a workflowId that is no string',
      'get_run',
      { workflowId: 1, runId: 'x' },
      'workflowId (string) is required',
    ],
    ['arguments as text', 'run_workflow', '{}', 'arguments must be an object'],
  ])('%s: a result with isError whose text is JSON', async (_name, name, args, error) => {
    expect(errorOf(await tool(name, args))).toEqual({ error, code: 'invalid-request' });
  });
});

describe('the id', () => {
  const idOf = async (text: string) => {
    const answer = await send(text);
    return answer.text.match(/^\{"jsonrpc":"2.0","id":(.*?),"(?:result|error)"/)?.[1];
  };

  it.each(['0', '-98765432109876543210', '1e400'])('%s is echoed as it came', async (id) => {
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

  it('true is no id: -32600', async () => {
    const { status, body } = await send('{"id":true,"method":"initialize"}');
    expect([status, body.id, body.error.code]).toEqual([200, null, -32600]);
  });
});

describe('what is refused, always with status 200', () => {
  it('the method "__proto__": -32601', async () => {
    const { status, body } = await rpc('__proto__');
    expect(status).toBe(200);
    expect(body).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: expect.any(String) } });
  });

  it('the tool "": -32601', async () => {
    const { status, body } = await rpc('tools/call', { name: '', arguments: {} });
    expect(status).toBe(200);
    expect(body).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: expect.any(String) } });
  });

  it.each([[undefined], [null], [[]], ['x']])('tools/call with params %j: -32601', async (params) => {
    expect((await rpc('tools/call', params)).body.error.code).toBe(-32601);
  });

  it('a request whose method is null: -32600', async () => {
    const { status, body } = await send('{"method":null,"id":1}');
    expect([status, body.error.code]).toEqual([200, -32600]);
    expect(body.error.message).toEqual(expect.any(String));
  });
});

it('reads a body of the content type ""', async () => {
  const { body } = await send({ id: 1, method: 'initialize' }, { 'content-type': '' });
  expect(body.result.protocolVersion).toBe('2024-11-05');
});
