import { startHostileMcpServer, type HostileMcpServer } from '../../support/hostile-mcp-server.js';
import { startMcpServer } from '../../support/mcp-server.js';
import { openEngine } from '../../support/engine.js';
import { callOnce, callTool } from './support.js';

const THRICE = { retry: { maxAttempts: 3, baseMs: 0, jitter: false } };

let server: HostileMcpServer;
beforeAll(async () => {
  server = await startHostileMcpServer({ share: 0.15 });
});
afterAll(() => server.close());

describe('an MCP server that sends too much costs one attempt, and the error says of what', () => {
  it.each([
    ['badframe', 'answer holds more than 51000 keys'],
    ['badjson', 'answer holds more than 10000 items of content'],
    ['badblocks', 'the server does not answer as one of MCP: content[0] is no text, image, audio'],
    ['badblock', 'answer holds more than 1000 values in content[0]'],
    ['badrest', 'answer holds more than 5000 values beside what the tool says'],
    ['frames', 'answer holds more than 10000 messages'],
    ['notes', 'answer holds more than 10000 messages'],
    ['batch', 'answer holds more than 51000 keys'],
    ['questions', 'answer holds more than 1000 requests'],
    ['values', 'answer holds more than 501000 values'],
    ['keysframe', 'answer holds more than 51000 keys'],
    ['deepframe', 'answer holds more than 266 levels'],
    ['frame', 'answer holds more than 51000 keys'],
    ['refusal', 'HTTP 400'],
    ['redirect', 'HTTP 307: redirects are not followed'],
    ['initialize/badframe', 'answer holds more than 51000 keys'],
    ['initialize/badrest', 'answer holds more than 5000 values beside what the tool says'],
    ['initialize/deepframe', 'answer holds more than 266 levels'],
    ['discover/frames', 'answer holds more than 10000 messages'],
  ])('%s', async (kind, error) => {
    const { error: said } = await callOnce(
      { url: `${server.url}/${kind}`, tool: 'echo' },
      { policy: THRICE },
    );
    expect(said).toContain(`Unit call failed after 1 attempt(s): ${error}`);
  });
});

describe('what a server of MCP may send', () => {
  it('is as many comment lines as fit', async () => {
    expect(await callOnce({ url: `${server.url}/lines`, tool: 'echo' })).toMatchObject({ output: 'ok' });
  });

  it('is ten thousand items of content', async () => {
    const { output } = await callOnce({ url: `${server.url}/blocks`, tool: 'echo' });
    expect(output).toEqual(Array.from({ length: 10_000 }, () => ({ type: 'text', text: 'a' })));
  });

  it('is as many values as a response may have, as data', async () => {
    const { output } = await callOnce({ url: `${server.url}/numbers`, tool: 'echo' });
    expect((output as { a: number[] }).a).toHaveLength(490_000);
  });

  it.each(['oneline', 'datalines'])(
    'is a stream of no message at all, which is retried (%s)',
    async (kind) => {
      const { error } = await callOnce({ url: `${server.url}/${kind}`, tool: 'echo' }, { policy: THRICE });
      expect(error).toBe(
        'Unit call failed after 3 attempt(s): network error: the stream of the server ended without an answer',
      );
    },
  );

  it('is a byte now and then, until the unit times out', async () => {
    const { engine, clock } = await openEngine();
    const policy = { timeout: { unitMs: 300 }, retry: { maxAttempts: 1 } };
    const run = callTool({ engine }, { url: `${server.url}/drip`, tool: 'echo' }, { policy });
    const advancing = setInterval(() => void clock.advance(100), 50);
    expect((await run).error).toMatch(/timed out after 300 ms/);
    clearInterval(advancing);
    await engine.close();
  });
});

describe('a server whose tools are looked up', () => {
  it('cannot have its responses validated by patterns of its own, which may take forever', async () => {
    const modern = await startMcpServer({ revision: '2026-07-28', tools: () => undefined });
    const forEver = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    let calls = 0;
    const answered = (result: object) => (body: string) => ({
      body: { jsonrpc: '2.0', id: (JSON.parse(body) as { id: unknown }).id, ...result },
    });
    modern.answer('tools/list', ({ body }) => {
      const tool = { name: 'echo', inputSchema: { type: 'object' }, outputSchema: forEver };
      return answered({ result: { resultType: 'complete', tools: [tool], ttlMs: 0, cacheScope: 'private' } })(
        body,
      );
    });
    modern.answer('tools/call', ({ body }) => {
      calls += 1;
      if (calls === 1) return answered({ error: { code: -32_020, message: 'headers' } })(body);
      const structuredContent = { a: `${'a'.repeat(60)}!` };
      return answered({ result: { resultType: 'complete', content: [], structuredContent } })(body);
    });
    const { output } = await callOnce({ url: modern.url, tool: 'echo' });
    expect(output).toEqual({ a: `${'a'.repeat(60)}!` });
    expect(modern.methods).toContain('tools/list');
    await modern.close();
  });

  it('may not list more than is read in one go', async () => {
    const modern = await startMcpServer({ revision: '2026-07-28', tools: () => undefined });
    const told = (name: string, result: object): void => {
      modern.answer(name, ({ body }) => ({
        body: { jsonrpc: '2.0', id: (JSON.parse(body) as { id: unknown }).id, ...result },
      }));
    };
    const tools = Array.from({ length: 400_000 }, () => 1);
    told('tools/list', { result: { resultType: 'complete', tools, ttlMs: 0, cacheScope: 'private' } });
    told('tools/call', { error: { code: -32_020, message: 'headers' } });
    const { error } = await callOnce({ url: modern.url, tool: 'echo' }, { policy: THRICE });
    expect(error).toContain('answer holds more than 5000 values beside what the tool says');
    await modern.close();
  });
});
