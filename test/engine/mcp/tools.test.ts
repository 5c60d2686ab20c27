import { fromJsonSchema, inputRequired } from '@modelcontextprotocol/server';
import { REVISIONS } from '../../support/mcp-clients.js';
import { startMcpServer, type TestMcpServer } from '../../support/mcp-server.js';
import { openEngine } from '../../support/engine.js';
import { callOnce, callTool } from './support.js';

const QUESTION = { type: 'object' as const, properties: { which: { type: 'string' as const } } };

/** A schema of these fields, all of them required. */
function fields<T>(types: Readonly<Record<string, string>>) {
  const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]));
  return fromJsonSchema<T>({ type: 'object', properties, required: Object.keys(types) });
}

describe.each(REVISIONS)('a tool of a server of %s', (revision) => {
  let server: TestMcpServer;

  beforeEach(async () => {
    server = await startMcpServer({
      revision,
      tools: (mcp) => {
        mcp.registerTool(
          'add',
          {
            inputSchema: fields<{ a: number; b: number }>({ a: 'number', b: 'number' }),
            outputSchema: fields<{ sum: number }>({ sum: 'number' }),
          },
          ({ a, b }) => ({ content: [{ type: 'text', text: 'told' }], structuredContent: { sum: a + b } }),
        );
        mcp.registerTool(
          'say',
          { inputSchema: fields<{ text: string }>({ text: 'string' }) },
          ({ text }) => ({
            content: [{ type: 'text', text }],
          }),
        );
        mcp.registerTool('list', {}, () => ({
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'two' },
          ],
        }));
        mcp.registerTool('fail', {}, () => ({
          isError: true,
          content: [{ type: 'text', text: 'no such customer' }],
        }));
        mcp.registerTool('ask', {}, async (ctx) => {
          // The server asks every caller, whatever its capabilities are.
          const params = { mode: 'form' as const, message: 'Which?', requestedSchema: QUESTION };
          if (revision === '2026-07-28')
            return inputRequired({ inputRequests: { which: inputRequired.elicit(params) } });
          const asked = await ctx.mcpReq.send({ method: 'elicitation/create', params });
          return { content: [{ type: 'text', text: JSON.stringify(asked) }] };
        });
      },
    });
  });
  afterEach(() => server.close());

  it.each([
    ['what it returned as data', 'add', { a: 1, b: 2 }, { sum: 3 }],
    ['the text of the one that it said', 'say', { text: 'hello' }, 'hello'],
    ['a text, also where it is JSON', 'say', { text: '{"a":1}' }, '{"a":1}'],
    [
      'a list of all that it said',
      'list',
      {},
      [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    ],
  ])('gives %s', async (_what, tool, args, output) => {
    expect(await callOnce({ url: server.url, tool }, { with: args })).toMatchObject({
      output,
      record: { status: 'completed' },
    });
  });

  it("is given the run's input where the unit has no with", async () => {
    expect(await callOnce({ url: server.url, tool: 'add' }, { input: { a: 20, b: 3 } })).toMatchObject({
      output: { sum: 23 },
    });
  });

  it('that says it failed fails the unit, which is not retried', async () => {
    const { error } = await callOnce(
      { url: server.url, tool: 'fail' },
      { policy: { retry: { maxAttempts: 3, baseMs: 0 } } },
    );
    expect(error).toBe(
      'Unit call failed after 1 attempt(s): the tool fail answered with an error: no such customer',
    );
  });

  it('that does not exist, or is given what it does not accept, fails the unit permanently', async () => {
    const policy = { retry: { maxAttempts: 3, baseMs: 0 } };
    const { error } = await callOnce({ url: server.url, tool: 'nobody' }, { policy });
    expect(error).toMatch(/^Unit call failed after 1 attempt\(s\): the (server|tool) .*nobody/);
    const wrong = await callOnce({ url: server.url, tool: 'add' }, { with: { a: 'x' }, policy });
    expect(wrong.error).toMatch(/^Unit call failed after 1 attempt\(s\): the (server|tool) /);
  });

  it('that asks for input is told that nobody is there, and fails the unit', async () => {
    const { error } = await callOnce({ url: server.url, tool: 'ask' });
    expect(error).toMatch(
      /^Unit call failed after 1 attempt\(s\): the tool ask asks for input \(.*\), and during a run nobody gives it any: /,
    );
  });

  it('finds out once which revision the server speaks, and leaves no session', async () => {
    const opened = await openEngine();
    const config = { url: server.url, tool: 'say' };
    await callTool(opened, config, { input: { text: 'first' } });
    for (const text of ['a', 'b', 'c']) {
      const record = await opened.engine.runs.start({ workflowId: 'w', input: { text }, sync: true });
      expect(record.result?.state['output.call']).toBe(text);
    }
    await opened.engine.close();
    expect(server.sessions.size).toBe(0);
    const { methods } = server;
    expect(methods.filter((method) => method === 'server/discover')).toHaveLength(1);
    expect(methods.filter((method) => method === 'tools/call')).toHaveLength(4);
    expect(methods).not.toContain('GET');
    expect(methods).not.toContain('tools/list');
    await server.http.disconnected();
  });
});
