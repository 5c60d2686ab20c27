import { gzipSync } from 'node:zlib';
import { sendRaw } from '../../support/raw-request.js';
import { beginSession, messageOf, post2026 } from '../../support/mcp-clients.js';
import { startService, type Answer, type Service } from '../../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService({
    FLOWGATE_ALLOWED_ORIGINS: 'https://console.example.com',
    FLOWGATE_MAX_BODY_BYTES: '100000',
  });
});
afterAll(() => service.close());

const BOTH = 'application/json, text/event-stream';
const STREAM = 'text/event-stream, */*';
const META = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

const initialize = (protocolVersion?: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** The profile that responded, recognised by what only one of them does. */
function servedBy({ body, status, text }: Answer): string {
  const message = body ?? messageOf({ body, text } as Answer);
  if (message?.result?.protocolVersion !== undefined) return message.result.protocolVersion as string;
  if (message?.result?.tools !== undefined) return message.result.tools.length === 4 ? 'plain' : 'official';
  if (message?.error?.code === -32601 && status === 200) return 'plain';
  return status === 200 && message?.result !== undefined ? 'official' : `${status}`;
}

describe('a request is served by the profile of its revision', () => {
  it.each<[string, Record<string, string>, unknown, string]>([
    // Requests of curl and of consumers of REST.
    ['initialize, no header', {}, initialize('2025-11-25'), '2024-11-05'],
    ['initialize, any Accept', { accept: '*/*' }, initialize('2025-11-25'), '2024-11-05'],
    ['tools/list, no header', {}, list, 'plain'],
    ['ping, no header', {}, ping, 'plain'],
    ['Accept: JSON', { accept: 'application/json' }, list, 'plain'],
    // A revision in the headers.
    ['of 2024', { 'mcp-protocol-version': '2024-11-05', accept: BOTH }, list, 'plain'],
    ['of no date', { 'mcp-protocol-version': 'latest', accept: '*/*' }, list, 'plain'],
    ['of March', { 'mcp-protocol-version': '2025-03-26', accept: BOTH }, list, 'official'],
    ['of June', { 'mcp-protocol-version': '2025-06-18', accept: BOTH }, list, 'official'],
    ['of November', { 'mcp-protocol-version': '2025-11-25', accept: BOTH }, list, 'official'],
    ['of November, without the Accept', { 'mcp-protocol-version': '2025-11-25', accept: '*/*' }, list, '406'],
    ['of a time to come', { 'mcp-protocol-version': '2099-01-01', accept: BOTH }, list, '400'],
    // No revision in the headers: the Accept counts.
    ['Accept: both', { accept: BOTH }, list, 'official'],
    ['Accept: both, ping', { accept: BOTH }, ping, 'official'],
    ['Accept: a stream, and anything', { accept: STREAM }, list, 'plain'],
    // Where the Accept does not say it, the revision in initialize counts.
    ['Accept: both, of 2025', { accept: BOTH }, initialize('2025-06-18'), '2025-06-18'],
    ['Accept: a stream, of 2024', { accept: STREAM }, initialize('2024-11-05'), '2024-11-05'],
    ['Accept: a stream, of nothing', { accept: STREAM }, initialize(), '2024-11-05'],
    // Method and revision of 2026.
    [
      'of 2026',
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list', accept: BOTH },
      { ...list, params: META },
      'official',
    ],
    ['a method in the head, of no revision', { 'mcp-method': 'tools/list', accept: BOTH }, list, 'official'],
  ])('%s', async (_name, headers, body, profile) => {
    expect(servedBy(await service.post('/mcp', body, headers))).toBe(profile);
  });

  it('an initialize of an unknown revision is answered with a known one', async () => {
    const answer = await service.post('/mcp', initialize('2099-01-01'), { accept: BOTH });
    expect(servedBy(answer)).toBe('2025-11-25');
  });

  it('a batch is accepted where its revision has batches', async () => {
    const batch = [list, { jsonrpc: '2.0', method: 'notifications/initialized' }];
    const answer = await service.post('/mcp', batch, { accept: BOTH, 'mcp-protocol-version': '2025-03-26' });
    expect([answer.status, answer.body.length ?? 1]).toEqual([200, 1]);
  });

  it('a notification is 202 without a body in the official profile, an error of 200 in the plain one', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const official = await service.post('/mcp', note, { accept: BOTH });
    expect([official.status, official.text]).toEqual([202, '']);
    const plain = await service.post('/mcp', note);
    expect([plain.status, plain.body.error.code]).toEqual([200, -32601]);
  });

  it('head and body of 2026-07-28 must say the same', async () => {
    const said = async (headers: Record<string, string>) => {
      const { status, body } = await post2026(service, 'tools/list', {}, { headers });
      return [status, body.error?.code];
    };
    expect(await said({})).toEqual([200, undefined]);
    expect(await said({ 'mcp-method': 'tools/call' })).toEqual([400, -32020]);
    expect(await said({ 'mcp-protocol-version': '2025-11-25' })).toEqual([400, expect.any(Number)]);
  });
});

describe('other methods than POST', () => {
  it('GET and DELETE without a session are wrong methods', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers, body } = await service.call(method, '/mcp', { headers: { accept: BOTH } });
      expect([method, status, headers['allow']]).toEqual([method, 405, 'POST']);
      expect(body).toEqual({ error: expect.any(String), code: 'method-not-allowed' });
    }
  });

  it('GET and DELETE of a session that does not exist are 404', async () => {
    for (const method of ['GET', 'DELETE']) {
      const headers = { accept: BOTH, 'mcp-session-id': 'made-up' };
      const { status, body } = await service.call(method, '/mcp', { headers });
      expect([method, status, body.error.code]).toEqual([method, 404, -32001]);
    }
  });

  it('GET of a session requires a stream', async () => {
    const id = await beginSession(service);
    const headers = { accept: 'application/json', 'mcp-session-id': id };
    expect((await service.call('GET', '/mcp', { headers })).status).toBe(406);
  });

  it.each(['PUT', 'PATCH'])('%s is none', async (method) => {
    const answer = await service.call(method, '/mcp', { body: list, headers: { accept: BOTH } });
    expect([answer.status, answer.body.code]).toEqual([405, 'method-not-allowed']);
  });

  it('HEAD and OPTIONS end', async () => {
    expect((await service.call('HEAD', '/mcp')).status).toBe(405);
    expect((await service.call('OPTIONS', '/mcp')).status).toBeLessThan(500);
    const id = await beginSession(service);
    const head = await service.call('HEAD', '/mcp', { headers: { accept: BOTH, 'mcp-session-id': id } });
    expect(head.status).toBeLessThan(500);
  });
});

describe('pages of other origins and hosts', () => {
  it.each([
    ['plain', {}],
    ['official', { accept: BOTH, 'mcp-protocol-version': '2025-11-25' }],
    ['2026', { accept: BOTH, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }],
  ])('are refused before either profile: %s', async (_name, headers) => {
    const foreign = await service.post('/mcp', list, { ...headers, origin: 'https://evil.example' });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'foreign-page']);
    const other = await service.post('/mcp', list, { ...headers, host: 'evil.example' });
    expect([other.status, other.body.code]).toEqual([403, 'foreign-host']);
    const own = await service.post('/mcp', list, { ...headers, origin: 'https://console.example.com' });
    expect(own.body.code).toBeUndefined();
  });

  it('are refused for GET and DELETE of a session as well', async () => {
    const id = await beginSession(service);
    for (const method of ['GET', 'DELETE']) {
      const headers = { accept: BOTH, 'mcp-session-id': id };
      const asked = { headers: { ...headers, origin: 'https://evil.example' } };
      expect((await service.call(method, '/mcp', asked)).status).toBe(403);
      const named = { headers: { ...headers, host: 'evil.example' } };
      expect((await service.call(method, '/mcp', named)).status).toBe(403);
    }
    const alive = await service.post('/mcp', ping, { accept: BOTH, 'mcp-session-id': id });
    expect(alive.status).toBe(200);
  });
});

describe('a body that cannot be read', () => {
  const large = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'a'.repeat(200_000)}"}}`;
  const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${'['.repeat(600)}${']'.repeat(600)}}}`;

  it.each<[string, string | Buffer, [number, number], [number, number]]>([
    ['no JSON', '{', [200, -32700], [400, -32700]],
    ['empty', '', [200, -32600], [400, -32600]],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), [200, -32700], [400, -32700]],
    ['too large', large, [200, -32600], [413, -32600]],
    ['a number', '7', [200, -32600], [400, -32600]],
    ['an empty list', '[]', [200, -32600], [400, -32600]],
  ])(
    '%s: 200 in the plain profile, its own status in the official one',
    async (_name, body, plain, official) => {
      const said = ({ status, body: answer }: Answer) => [status, answer.error.code, answer.id];
      expect(said(await service.post('/mcp', body))).toEqual([...plain, null]);
      for (const revision of ['2025-11-25', '2026-07-28']) {
        const headers = { accept: BOTH, 'mcp-protocol-version': revision };
        expect([revision, ...said(await service.post('/mcp', body, headers))]).toEqual([
          revision,
          ...official,
          null,
        ]);
      }
    },
  );

  it('nested too deeply, in a call of a tool: the tool says it, in both', async () => {
    const { status, body } = await service.post('/mcp', deep);
    expect([status, body.error.code]).toEqual([200, -32601]);
    const official = await service.post('/mcp', deep, { accept: BOTH });
    expect(official.status).toBeLessThan(500);
    const k = `${'['.repeat(600)}${']'.repeat(600)}`;
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_workflow","arguments":{"workflowId":"x","input":{"k":${k}}}}}`;
    for (const headers of [{}, { accept: BOTH }]) {
      const answer = await service.post('/mcp', call, headers);
      expect([answer.status, answer.body.result?.isError]).toEqual([200, true]);
    }
  });

  it('compressed is no JSON in both', async () => {
    const zipped = gzipSync(JSON.stringify(list));
    for (const [headers, status] of [[{}, 200] as const, [{ accept: BOTH }, 400] as const]) {
      const answer = await service.post('/mcp', zipped, { ...headers, 'content-encoding': 'gzip' });
      expect([answer.status, answer.body.error.code]).toEqual([status, -32700]);
    }
  });

  it('of another content type is read in the plain profile only', async () => {
    const type = { 'content-type': 'text/plain' };
    expect(servedBy(await service.post('/mcp', list, type))).toBe('plain');
    expect((await service.post('/mcp', list, { ...type, accept: BOTH })).status).toBe(415);
  });

  it('with two heads that disagree is no request', async () => {
    const { status } = await sendRaw(
      service.url,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{}`,
    );
    expect(status).toBe(400);
  });
});
