import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import {
  EnvironmentSecrets,
  InMemoryMemoryIndex,
  InMemoryRunStore,
  type RunRecord,
} from '../../../src/engine/index.js';
import { REVISIONS } from '../../support/mcp-clients.js';
import { startMcpServer, type TestMcpServer } from '../../support/mcp-server.js';
import { openEngine, workflowYaml } from '../../support/engine.js';
import { startUnitServer, type Reply, type UnitServer } from '../../support/unit-server.js';
import { callOnce, callTool } from './support.js';

const THRICE = { retry: { maxAttempts: 3, baseMs: 0, jitter: false } };
const SECRET = 'hunter2hunter2';
const secrets = { read: async () => SECRET };

let server: TestMcpServer;
let other: UnitServer;

beforeEach(async () => {
  server = await startServer('2026-07-28');
  other = await startUnitServer();
});
afterEach(async () => {
  await server.close();
  await other.close();
});

function startServer(revision: (typeof REVISIONS)[number]): Promise<TestMcpServer> {
  return startMcpServer({
    revision,
    tools: (mcp) => {
      const inputSchema = fromJsonSchema<{ text?: string }>({ type: 'object' });
      mcp.registerTool('echo', { inputSchema }, ({ text = 'ok' }) => ({
        content: [{ type: 'text', text }],
      }));
      mcp.registerTool('sleep', {}, async (ctx) => {
        const { signal } = ctx.mcpReq;
        await pause(60_000, undefined, { signal, ref: false }).catch(() => undefined);
        return { content: [] };
      });
    },
  });
}

const calls = ({ methods }: TestMcpServer): number =>
  methods.filter((method) => method === 'tools/call').length;

describe('a call of a tool', () => {
  it.each([
    [503, {}, 3, /^Unit call failed after 3 attempt\(s\): HTTP 503: not now$/],
    [429, { 'retry-after': '0' }, 3, /^Unit call failed after 3 attempt\(s\): HTTP 429: not now$/],
    [401, {}, 1, /^Unit call failed after 1 attempt\(s\): HTTP 401: not now$/],
    [404, {}, 1, /^Unit call failed after 1 attempt\(s\): HTTP 404: not now$/],
    [302, { location: '/elsewhere' }, 1, /: HTTP 302: redirects are not followed$/],
    [307, { location: '/elsewhere' }, 1, /: HTTP 307: redirects are not followed$/],
  ])(
    'that is answered with HTTP %i fails as one of a remote unit',
    async (status, headers, attempts, error) => {
      server.answer('tools/call', () => ({ status, headers, body: 'not now' }));
      expect((await callOnce({ url: server.url, tool: 'echo' }, { policy: THRICE })).error).toMatch(error);
      expect(calls(server)).toBe(attempts);
      expect(server.http.requests.map(({ url }) => url)).not.toContain('/elsewhere');
    },
  );

  it.each([
    [-32_603, 3],
    [-32_602, 1],
    [-32_000, 1],
  ])('that is answered with error %i is tried %i times', async (code, attempts) => {
    server.answer('tools/call', ({ body }) => ({
      body: { jsonrpc: '2.0', id: JSON.parse(body).id, error: { code, message: 'it cannot be' } },
    }));
    expect((await callOnce({ url: server.url, tool: 'echo' }, { policy: THRICE })).error).toBe(
      `Unit call failed after ${attempts} attempt(s): the server answered with error ${code}: it cannot be`,
    );
  });

  it('that reaches no server is retried', async () => {
    await other.close();
    const { error } = await callOnce({ url: other.url, tool: 'echo' }, { policy: THRICE });
    expect(error).toBe('Unit call failed after 3 attempt(s): network error: connection refused');
  });

  it.each(['application/json', 'text/event-stream'])(
    'whose response as %s breaks off is retried, and at once',
    async (type) => {
      server.answer('tools/call', (_request, response) => {
        response.writeHead(200, { 'content-type': type });
        response.write('data: {"jsonrpc"');
        setTimeout(() => response.destroy(), 10);
      });
      const { error } = await callOnce({ url: server.url, tool: 'echo' }, { policy: THRICE });
      expect(error).toMatch(/^Unit call failed after 3 attempt\(s\): network error: /);
    },
  );

  it('whose stream ends without a response is retried, and at once', async () => {
    server.answer('tools/call', () => ({ headers: { 'content-type': 'text/event-stream' }, body: ': \n\n' }));
    const { error } = await callOnce({ url: server.url, tool: 'echo' }, { policy: THRICE });
    expect(error).toBe(
      'Unit call failed after 3 attempt(s): network error: the stream of the server ended without an answer',
    );
  });

  it('whose stream is closed on the way, to be resumed, is awaited', async () => {
    let id: unknown;
    server.answer('tools/call', ({ body }) => {
      id = JSON.parse(body).id;
      return { headers: { 'content-type': 'text/event-stream' }, body: 'id: 7\nretry: 1\ndata:\n\n' };
    });
    server.answer('GET', ({ headers }) => {
      const text = `after ${headers['last-event-id']}`;
      const result = { resultType: 'complete', content: [{ type: 'text', text }] };
      const body = `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
      return { headers: { 'content-type': 'text/event-stream' }, body };
    });
    expect(await callOnce({ url: server.url, tool: 'echo' })).toMatchObject({ output: 'after 7' });
  });

  it.each([
    ['<html>', 'text/html', /: the server does not answer as one of MCP: .*text\/html/],
    ['<html>', 'application/json', /: the server does not answer as one of MCP: /],
    ['{"jsonrpc":"2.0"}', 'application/json', /: the server does not answer as one of MCP: /],
  ])('at what is no server of MCP (%s as %s) fails permanently', async (body, type, error) => {
    other.answer({ headers: { 'content-type': type }, body });
    const { error: said } = await callOnce({ url: other.url, tool: 'echo' }, { policy: THRICE });
    expect(said).toMatch(/^Unit call failed after 1 attempt\(s\)/);
    expect(said).toMatch(error);
  });

  it('at a refused address never leaves the process', async () => {
    const { error } = await callOnce({ url: 'http://169.254.169.254/mcp', tool: 'echo' });
    expect(error).toMatch(
      /: the address 169\.254\.169\.254 is link-local or the metadata service of a cloud/,
    );
    const denied = await callOnce(
      { url: `http://localhost:${other.port}/mcp`, tool: 'echo' },
      { options: { deniedAddresses: ['127.0.0.0/8', '::1'] }, policy: THRICE },
    );
    expect(denied.error).toMatch(/after 1 attempt\(s\): an address of localhost is denied by/);
    expect(other.acceptedConnections).toBe(0);
  });

  it.each(['application/json', 'text/event-stream'])('answered by too much %s is aborted', async (type) => {
    server.answer('tools/call', ({ body }) => {
      const result = { resultType: 'complete', content: [{ type: 'text', text: 'x'.repeat(200_000) }] };
      const message = JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result });
      return {
        headers: { 'content-type': type },
        body: type === 'application/json' ? message : `data: ${message}\n\n`,
      };
    });
    const within = (maxResponseBytes: number) =>
      callOnce({ url: server.url, tool: 'echo' }, { options: { maxResponseBytes }, policy: THRICE });
    expect((await within(100_000)).error).toBe(
      'Unit call failed after 1 attempt(s): response is larger than 100000 bytes',
    );
    expect((await within(300_000)).output).toHaveLength(200_000);
  });

  it.each([
    ['gzip', gzipSync, 'ok'],
    ['br', brotliCompressSync, 'ok'],
    ['x-unknown', gzipSync, /: network error: content encoding of the response cannot be read$/],
    ['gzip', (text: string) => Buffer.from(text), /: network error: /],
  ])('answered in %s, which was not requested, is read as far as possible', async (coding, encode, said) => {
    server.answer('tools/call', ({ body }) => {
      const result = { resultType: 'complete', content: [{ type: 'text', text: 'ok' }] };
      return {
        headers: { 'content-type': 'application/json', 'content-encoding': coding },
        body: encode(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result })),
      };
    });
    const { output, error } = await callOnce({ url: server.url, tool: 'echo' });
    if (typeof said === 'string') expect(output).toBe(said);
    else expect(error).toMatch(said);
  });

  it('answered at length next to many others is read, sequentially where there is no capacity', async () => {
    const megabyte = 'x'.repeat(1_000_000);
    server.answer('tools/call', ({ body }) => {
      const result = { resultType: 'complete', content: [{ type: 'text', text: megabyte }] };
      const message = JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result });
      // Half of the responses are streams.
      return JSON.parse(body).params.arguments.asStream === true
        ? { headers: { 'content-type': 'text/event-stream' }, body: `data: ${message}\n\n` }
        : { headers: { 'content-type': 'application/json' }, body: message };
    });
    const opened = await openEngine();
    const config = { url: server.url, tool: 'echo' };
    await callTool(opened, config);
    const runs = Array.from({ length: 40 }, (_, index) =>
      opened.engine.runs.start({ workflowId: 'w', input: { asStream: index % 2 === 1 }, sync: true }),
    );
    for (const run of runs) {
      const { error, result } = await run;
      expect(error).toBeUndefined();
      expect(result?.state['output.call']).toHaveLength(megabyte.length);
    }
    await opened.engine.close();
  });

  it('answered by more keys than a response may have is not read', async () => {
    server.answer('tools/call', ({ body }) => {
      const structuredContent = Object.fromEntries(
        Array.from({ length: 60_000 }, (_, key) => [`k${key}`, 1]),
      );
      const result = { resultType: 'complete', content: [], structuredContent };
      return { body: { jsonrpc: '2.0', id: JSON.parse(body).id, result } };
    });
    const { error } = await callOnce({ url: server.url, tool: 'echo' }, { policy: THRICE });
    expect(error).toMatch(/^Unit call failed after 1 attempt\(s\): answer holds more than \d+ keys/);
  });
});

describe('the settings of builtin.mcp', () => {
  it.each([
    ['url must be an absolute http or https URL', { url: 'nowhere', tool: 'a' }],
    ['url must be a string', { url: 7, tool: 'a' }],
    ['tool must be the name of a tool', { url: 'http://127.0.0.1:9/', tool: '' }],
    ['headers must be an object of strings', { url: 'http://127.0.0.1:9/', tool: 'a', headers: 'x' }],
    ['headers: x-a must be one line', { url: 'http://127.0.0.1:9/', tool: 'a', headers: { 'x-a': 'a\nb' } }],
  ])('that are wrong fail the unit: %s', async (sentence, config) => {
    expect((await callOnce(config, { policy: THRICE })).error).toContain(
      `Unit call failed after 1 attempt(s): builtin.mcp: ${sentence}`,
    );
  });

  it('do not accept a list as the arguments of a tool', async () => {
    const { error } = await callOnce({ url: server.url, tool: 'echo' }, { with: '${{ [1, 2] }}' });
    expect(error).toContain('builtin.mcp: the arguments of a tool are fields: write them one by one in with');
  });

  it.each([
    [{ tool: 'a' }, 'needs url'],
    [{ url: 'http://127.0.0.1:9/' }, 'needs tool'],
    [{ url: 'http://127.0.0.1:9/', tool: 'a', timeout: 1 }, 'has no setting timeout'],
  ])('that are not those of the language are refused: %j', async (config, problem) => {
    await expect(callOnce(config as never)).rejects.toThrow(problem);
  });
});

describe('what a server receives next to the call', () => {
  it('is what a remote unit receives; the key is of the call alone, and the same at every attempt', async () => {
    let tries = 0;
    server.answer('tools/call', () => {
      tries += 1;
      return { status: 503 };
    });
    const config = {
      url: server.url.replace('//', '//ann:pa%20ss@'),
      tool: 'echo',
      headers: { 'X-Tenant': 'acme', 'x-flowgate-run-id': 'theirs', 'Mcp-Session-Id': 'theirs' },
    };
    const { record } = await callOnce(config, { policy: THRICE });
    expect(tries).toBe(3);
    const { requests } = server.http;
    for (const { headers } of requests) {
      expect(headers).toMatchObject({
        'x-tenant': 'acme',
        authorization: `Basic ${Buffer.from('ann:pa ss').toString('base64')}`,
        'x-flowgate-run-id': record.runId,
        'x-flowgate-unit-id': 'call',
        traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
      });
      expect(headers).not.toHaveProperty('mcp-session-id');
    }
    const told = requests.map(({ body, headers }) => [JSON.parse(body).method, headers['idempotency-key']]);
    const key = expect.stringMatching(new RegExp(`^${record.runId}:`));
    for (const [method, sent] of told) expect(sent).toEqual(method === 'tools/call' ? key : undefined);
    expect(new Set(told.map(([, sent]) => sent)).size).toBe(2);
    const attempts = requests.filter(({ body }) => body.includes('tools/call'));
    expect(attempts.map(({ headers }) => headers['x-flowgate-attempt'])).toEqual(['1', '2', '3']);
    expect(record.error).not.toContain('pa ss');
  });
});

describe('a secret of a call', () => {
  const headers = { authorization: 'Bearer ${secret:TOKEN}' };

  it('reaches the server, and is in no output, error, log entry or memory', async () => {
    const store = new InMemoryRunStore();
    const memory = new InMemoryMemoryIndex();
    const opened = await openEngine({}, { secrets, store, memory });
    const config = { url: server.url, tool: 'echo', headers };
    /** A run whose server repeats what it was sent in every response. */
    const answered = (answer: (echo: string) => Reply): Promise<RunRecord> => {
      server.answer('tools/call', ({ body, headers: sent }) => {
        const { body: message, ...reply } = answer(`got ${sent.authorization}`);
        const told = message as object;
        return { ...reply, body: { jsonrpc: '2.0', id: JSON.parse(body).id, ...told } };
      });
      return callTool(opened, config);
    };
    const content = (text: string) => [{ type: 'text', text }];
    const [text, data, failed, wrong, refused] = [
      await answered((echo) => ({ body: { result: { resultType: 'complete', content: content(echo) } } })),
      await answered((echo) => ({
        body: { result: { resultType: 'complete', content: [], structuredContent: { [echo]: [echo] } } },
      })),
      await answered((echo) => ({
        body: { result: { resultType: 'complete', content: content(echo), isError: true } },
      })),
      await answered((echo) => ({ body: { error: { code: -32_602, message: echo } } })),
      await answered((echo) => ({ status: 403, body: { error: { code: -32_000, message: echo } } })),
    ];
    expect(server.http.requests.map(({ headers: sent }) => sent.authorization)).toEqual(
      server.http.requests.map(() => `Bearer ${SECRET}`),
    );
    expect(text.result?.state['output.call']).toBe('got ***');
    expect(data.result?.state['output.call']).toEqual({ 'got ***': ['got ***'] });
    expect(failed.error).toContain('answered with an error: got ***');
    expect(wrong.error).toContain('error -32602: got ***');
    expect(refused.error).toMatch(/HTTP 403: .*got \*\*\*/);

    await opened.clock.advance(1_000);
    const runs = [text, data, failed, wrong, refused];
    const logs = await Promise.all(
      runs.map(({ runId }) => store.readEvents({ runId, afterSeq: 0, limit: 100 })),
    );
    const hits = await memory.search({ namespace: 'default', query: 'got', topK: 10 });
    expect(hits.length).toBeGreaterThan(0);
    expect(JSON.stringify([runs, logs, hits])).not.toContain(SECRET);
    await opened.engine.close();
  });

  it('that is bound to hosts is sent to no other', async () => {
    const environment = { FLOWGATE_SECRET_TOKEN: SECRET, FLOWGATE_SECRET_HOSTS_TOKEN: 'mcp.example.com' };
    const bound = new EnvironmentSecrets({ environment, folder: null });
    const { error } = await callOnce(
      { url: server.url, tool: 'echo', headers },
      { options: { secrets: bound }, policy: THRICE },
    );
    expect(error).toContain('after 1 attempt(s): the secret TOKEN may not be sent to 127.0.0.1');
    expect(server.methods).toEqual([]);
  });

  it('that is literal in a header is sealed in the log', async () => {
    const store = new InMemoryRunStore();
    const config = { url: '${{ input.url }}', tool: 'echo', headers: { 'x-key': 'literal-key' } };
    const encryptionKey = new Uint8Array(32).fill(7);
    const opened = await openEngine({}, { store, encryptionKey });
    const record = await callTool(opened, config, { input: { url: server.url } });
    expect(record.result?.state['output.call']).toBe('ok');
    expect(server.http.requests[0]!.headers['x-key']).toBe('literal-key');
    const events = await store.readEvents({ runId: record.runId, afterSeq: 0, limit: 100 });
    expect(JSON.stringify(events)).not.toContain('literal-key');
    await opened.engine.close();
  });
});

describe.each(REVISIONS)('a server of %s', (revision) => {
  let own: TestMcpServer;

  beforeEach(async () => {
    own = await startServer(revision);
  });
  afterEach(() => own.close());

  it('is notified when the attempt is over, and keeps nothing of it', async () => {
    const { engine, clock } = await openEngine();
    const policy = { timeout: { unitMs: 300 }, retry: { maxAttempts: 2, baseMs: 0, jitter: false } };
    const run = callTool({ engine }, { url: own.url, tool: 'sleep' }, { policy });
    for (const attempt of [1, 2]) {
      await own.asked('tools/call', attempt);
      await clock.advance(300);
    }
    const { error } = await run;
    expect(error).toMatch(/^Unit call failed after 2 attempt\(s\): timed out after 300 ms/);
    await engine.close();
    expect(own.sessions.size).toBe(0);
    if (revision === '2025-11-25') {
      expect(own.methods.filter((method) => method === 'notifications/cancelled')).toHaveLength(2);
      expect(own.methods.filter((method) => method === 'DELETE')).toHaveLength(2);
    }
    await own.http.disconnected();
  });

  it('that does not even answer the handshake is disconnected, too', async () => {
    own.answer('server/discover', () => new Promise(() => undefined));
    const { engine, clock } = await openEngine();
    const policy = { timeout: { unitMs: 200 }, retry: { maxAttempts: 1 } };
    const run = callTool({ engine }, { url: own.url, tool: 'echo' }, { policy });
    await own.asked('server/discover', 1);
    await clock.advance(200);
    expect((await run).error).toMatch(/timed out after 200 ms/);
    await engine.close();
    await own.http.disconnected();
  });

  it('may be another one at the next call', async () => {
    const opened = await openEngine();
    await opened.engine.workflows.register({
      yaml: workflowYaml('moves', {
        units: [{ id: 'call', uses: 'builtin.mcp', config: { url: '${{ input.url }}', tool: 'echo' } }],
        flow: 'call',
        policy: { retry: { maxAttempts: 1 } },
      }),
    });
    const call = async (): Promise<unknown> => {
      const input = { url: own.url };
      const record = await opened.engine.runs.start({ workflowId: 'moves', input, sync: true });
      return record.result?.state['output.call'] ?? record.error;
    };
    expect(await call()).toBe('ok');
    const others = await startServer(revision === '2025-11-25' ? '2026-07-28' : '2025-11-25');
    own.http.answer(others.http.behaviour);
    expect(await call()).toBe('ok');
    await opened.engine.close();
    await others.close();
  });
});
