import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forward } from '../support/forward.js';
import { sendRaw } from '../support/raw-request.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let service: Service;
let own: string;
beforeAll(async () => {
  service = await startService({ FLOWGATE_ALLOWED_ORIGINS: 'https://console.example.com' });
  await service.register(document('gated', [gate('agree'), mock('b')]));
  own = service.url;
});
afterAll(() => service.close());

const EVIL = 'https://evil.example';
const initialize = '{"id":1,"method":"initialize"}';
const start = (headers: Record<string, string>) => service.post('/workflows/gated/runs', '{}', headers);

describe('what the page of another origin sends', () => {
  const crossOrigin: readonly (readonly [string, Record<string, string>])[] = [
    ['with another Origin', { origin: EVIL }],
    ['with the Origin null', { origin: 'null' }],
    ['with an empty Origin', { origin: '' }],
    ['with another port as Origin', { origin: 'http://127.0.0.1:1' }],
    ['with our origin and something after it', { origin: 'http://127.0.0.1.evil.example' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['with a site that no browser names', { 'sec-fetch-site': 'nonsense' }],
    [
      'from another site, whatever its Origin',
      { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1' },
    ],
  ];

  it.each(crossOrigin)('%s is refused wherever it would change something', async (_name, headers) => {
    const { runId } = await service.start('gated');
    const run = `/workflows/gated/runs/${runId}`;
    const requests = [
      ['POST', '/workflows/from-yaml', { yaml: document('evil', [mock('a')]) }],
      ['POST', '/workflows/gated/runs', {}],
      ['POST', `${run}/hitl`, { approved: true }],
      ['POST', `${run}/resume`, {}],
      ['POST', '/mcp', initialize],
      ['GET', '/mcp', undefined],
      ['OPTIONS', '/MCP/?x', undefined],
      ['PUT', '/workflows/gated', {}],
      ['PATCH', '/nothing', {}],
      ['DELETE', `${run}`, undefined],
    ] as const;
    for (const [method, path, body] of requests) {
      for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
        const answer = await service.call(method, path, {
          body,
          headers: { 'content-type': type, ...headers },
        });
        expect([method, path, answer.status]).toEqual([method, path, 403]);
        expect(answer.body).toEqual({
          error: expect.stringMatching(/FLOWGATE_ALLOWED_ORIGINS/),
          code: 'foreign-page',
        });
      }
    }
    expect((await service.get('/workflows')).body.workflows).toEqual(['gated']);
    expect(await service.run({ workflowId: 'gated', runId })).toMatchObject({ status: 'paused' });
  });

  it.each(crossOrigin)('%s is refused wherever it would keep a stream open', async (_name, headers) => {
    const { runId } = await service.start('gated');
    for (const path of [
      '/events',
      '/runs',
      '/gates',
      '/workflows/gated/runs',
      `/workflows/gated/runs/${runId}/events`,
    ]) {
      for (const accept of ['text/event-stream', 'application/json;q=0.5, Text/Event-Stream']) {
        const answer = await service.call('GET', path, { headers: { accept, ...headers } });
        expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'foreign-page']);
      }
    }
  });

  it('is refused with several Origins and several sites, of which one is ours', async () => {
    for (const lines of [
      `Origin: ${own}\r\nOrigin: ${EVIL}`,
      `Origin: ${own}\r\nOrigin: ${own}`,
      'Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site',
      'Sec-Fetch-Site: cross-site\r\nSec-Fetch-Site: none',
    ]) {
      const { status, body } = await sendRaw(
        own,
        `POST /mcp HTTP/1.1\r\nHost: ${new URL(own).host}\r\nConnection: close\r\n${lines}\r\nContent-Length: 2\r\n\r\n{}`,
      );
      expect([lines, status, body.code]).toEqual([lines, 403, 'foreign-page']);
    }
  });

  it('learns nothing from a preflight', async () => {
    for (const path of ['/workflows/gated/runs', '/workflows', '/mcp']) {
      const { headers } = await service.call('OPTIONS', path, {
        headers: { origin: EVIL, 'access-control-request-method': 'POST', 'sec-fetch-site': 'cross-site' },
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('names the origin to allow, unless it is none', async () => {
    expect((await start({ origin: EVIL })).body.error).toContain(`put ${EVIL} into FLOWGATE_ALLOWED_ORIGINS`);
    expect((await start({ origin: '<script>' })).body.error).not.toContain('script');
    expect((await start({ origin: 'null' })).body.error).toContain('another origin');
  });

  it('reads what anyone may read, without the browser exposing it', async () => {
    const { status, headers } = await service.call('GET', '/health', {
      headers: { origin: EVIL, 'sec-fetch-site': 'cross-site' },
    });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    const search = await service.call('GET', '/memory/search?q=/mcp', {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(search.status).toBe(200);
  });
});

describe('what is still served', () => {
  const { host } = new URL('http://flow.example.com');

  it.each([
    ['curl -d, a form by its type', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a program that sends JSON', { 'content-type': 'application/json' }],
    ['a page of the service itself', { 'sec-fetch-site': 'same-origin' }],
    ['what a person opens', { 'sec-fetch-site': 'none' }],
    ['an origin that is allowed', { origin: 'https://console.example.com' }],
    [
      'an origin that is allowed, from wherever',
      { origin: 'https://console.example.com', 'sec-fetch-site': 'cross-site' },
    ],
    [
      'a page of ours behind a proxy that names this machine as the host',
      { origin: `https://${host}`, 'sec-fetch-site': 'same-origin' },
    ],
  ])('%s', async (_name, headers) => {
    expect((await start(headers)).status).toBe(202);
    expect((await service.post('/mcp', initialize, headers)).body.result.serverInfo.name).toBe('flowgate');
  });

  it('our own origin, by either scheme and in any case', async () => {
    const { port } = new URL(own);
    for (const origin of [own, `https://127.0.0.1:${port}`, `HTTP://127.0.0.1:${port}`]) {
      expect([origin, (await start({ origin })).status]).toEqual([origin, 202]);
    }
    for (const [origin, name] of [
      ['http://localhost', 'localhost'],
      ['https://localhost', 'localhost:443'],
      ['http://LOCALHOST', 'localhost:80'],
    ] as const) {
      expect([origin, (await start({ origin, host: name })).status]).toEqual([origin, 202]);
    }
    expect((await start({ origin: 'http://localhost', host: 'localhost:443' })).status).toBe(403);
  });

  it('a client that uses fetch', async () => {
    const answer = await fetch(`${own}/mcp`, { method: 'POST', body: initialize });
    expect([answer.status, (await answer.json()) as object]).toEqual([
      200,
      expect.objectContaining({ id: 1 }),
    ]);
  });

  it('a page behind a proxy that terminates TLS, by the public name or as the proxy calls us', async () => {
    const behind = await startService({ FLOWGATE_ALLOWED_HOSTS: host });
    const target = new URL(behind.url);
    for (const keepsHost of [true, false]) {
      const proxy = createServer((request, response) => {
        const headers = {
          ...request.headers,
          'x-forwarded-proto': 'https',
          ...(keepsHost ? {} : { host: target.host }),
        };
        forward(request, response, { port: Number(target.port), headers });
      }).listen(0, '127.0.0.1');
      await once(proxy, 'listening');
      const { port } = proxy.address() as AddressInfo;
      const post = (headers: Record<string, string>) =>
        new Promise<number | undefined>((resolve, reject) => {
          httpRequest(
            { port, host: '127.0.0.1', method: 'POST', path: '/mcp', headers: { host, ...headers } },
            (answer) => {
              answer.resume();
              resolve(answer.statusCode);
            },
          )
            .on('error', reject)
            .end(initialize);
        });
      expect(await post({ origin: `https://${host}`, 'sec-fetch-site': 'same-origin' })).toBe(200);
      expect(await post({ origin: EVIL, 'sec-fetch-site': 'cross-site' })).toBe(403);
      expect(await post({ origin: EVIL })).toBe(403);
      // An old browser, which sends no Sec-Fetch-Site.
      expect(await post({ origin: `https://${host}` })).toBe(keepsHost ? 200 : 403);
      expect(await post({})).toBe(200);
      proxy.close();
      proxy.closeAllConnections();
    }
    await behind.close();
  });
});

describe('the Host, on a loopback address', () => {
  const health = (host: string) => service.call('GET', '/health', { headers: { host } });

  it.each([
    'localhost',
    'localhost:1',
    'LOCALHOST:8787',
    'localhost.:8787',
    '127.0.0.1',
    '127.0.0.1:',
    '127.8.9.1:8787',
    '[::1]',
    '[::1]:8787',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]:80',
  ])('%s is local', async (host) => {
    expect((await health(host)).status).toBe(200);
  });

  it.each([
    'evil.test',
    'evil.test:8787',
    'localhost.evil.test',
    'evil.localhost',
    '127.0.0.1.evil.test',
    '127.evil.test',
    '127.0.0.256',
    '10.0.0.1',
    '0.0.0.0',
    '[::]',
    '[::1%25lo]:8787',
    '::1',
    'localhost@evil.test',
    'evil.test, localhost',
    'localhost..',
    '-',
  ])('%j is not: everything by it is refused, also what only reads', async (host) => {
    for (const [method, path] of [
      ['GET', '/health'],
      ['GET', '/workflows'],
      ['HEAD', '/workflows'],
      ['OPTIONS', '/nothing'],
      ['POST', '/mcp'],
    ] as const) {
      const answer = await service.call(method, path, { headers: { host } });
      expect([path, answer.status]).toEqual([path, 403]);
      if (method === 'HEAD') continue;
      expect(answer.body).toEqual({ error: expect.any(String), code: 'foreign-host' });
    }
  });

  it('is refused with the setting that would allow it', async () => {
    expect((await health('Evil.test:80')).body.error).toMatch(/put evil\.test into FLOWGATE_ALLOWED_HOSTS/);
    expect((await health('<b>')).body.error).not.toContain('<b>');
  });

  it('may be one that is allowed, with any port', async () => {
    const named = await startService({ FLOWGATE_ALLOWED_HOSTS: 'flow.example.com,fe80::1' });
    for (const [host, status] of [
      ['flow.example.com', 200],
      ['Flow.Example.com.:443', 200],
      ['[fe80::1]:8787', 200],
      ['localhost', 200],
      ['example.com', 403],
    ] as const) {
      expect([host, (await named.call('GET', '/health', { headers: { host } })).status]).toEqual([
        host,
        status,
      ]);
    }
    await named.close();
  });
});

it('on an address that others reach, any Host is served, unless names are given', async () => {
  const { createService } = await import('../../src/app.module.js');
  const { readConfig } = await import('../../src/config/service/read-config.js');
  const { serviceOf } = await import('../support/service.js');
  for (const [names, status] of [
    ['', 200],
    ['flow.example.com', 403],
  ] as const) {
    const { config } = readConfig({
      FLOWGATE_STORE: 'memory',
      LOG_LEVEL: 'silent',
      FLOWGATE_ALLOWED_HOSTS: names,
    });
    const app = await createService(config);
    await app.listen(0, '0.0.0.0');
    const open = serviceOf(app);
    expect((await open.call('GET', '/health', { headers: { host: 'orders.internal' } })).status).toBe(status);
    expect((await open.post('/mcp', initialize, { origin: EVIL })).status).toBe(403);
    await open.close();
  }
});
