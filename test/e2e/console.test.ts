import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ADAPTERS, startHost, startHostService } from '../support/host.js';
import { serviceOf, startService, type Service } from '../support/service.js';

const PAGE = /<div id="console">/;

/** Each way to have a console, and where it is. */
const HOMES = [
  ['the standalone service', () => startService(), '/console/'],
  ...ADAPTERS.map(
    (adapter) =>
      [
        `a host on ${adapter}`,
        () => startHostService({ adapter, flowgate: { http: { console: true } } }),
        '/flowgate/console/',
      ] as const,
  ),
] as const;

describe.each(HOMES)('%s', (_name, start, folder) => {
  let service: Service;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.close());

  it('leads to the folder, so that everything else can be relative', async () => {
    const { status, headers } = await service.get('/console?ns=billing');
    expect([status, headers.location]).toEqual([308, 'console/?ns=billing']);
  });

  it.each(['/console/', '/console/runs', '/console/run?workflow=a%2Fb&run=1', '/console/?ns=a'])(
    'has the page at %s, under a policy that runs nothing else, and asked for each time',
    async (path) => {
      const { status, headers, text } = await service.get(path);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toMatch(PAGE);
      expect(headers).toMatchObject({
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(String(headers['content-security-policy']).split('; ')).toEqual([
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "img-src 'self' data:",
        "require-trusted-types-for 'script'",
        'trusted-types flowgate-worker',
      ]);
    },
  );

  it('sends a file compressed as it is asked for, kept for a year where its name says what is in it', async () => {
    const style = /href="(style-[A-Z0-9]{8}\.css)"/.exec((await service.get('/console/')).text)?.[1];
    const path = `/console/${style}`;
    const raw = await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'identity' } });
    const css = await raw.text();
    expect(raw.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const compressed = async (encoding: string) => {
      const { headers, bytes } = await rawBytes(service, path, encoding);
      return { encoding: headers.get('content-encoding'), vary: headers.get('vary'), bytes };
    };
    const br = await compressed('gzip, br;q=0.5');
    expect([br.encoding, br.vary, brotliDecompressSync(br.bytes).toString() === css]).toEqual([
      'br',
      'Accept-Encoding',
      true,
    ]);
    const gzip = await compressed('gzip, br;q=0');
    expect([gzip.encoding, gunzipSync(gzip.bytes).toString() === css]).toEqual(['gzip', true]);
  });

  it('does not send again what is had', async () => {
    const { headers } = await service.get('/console/boot.js');
    expect(headers['cache-control']).toBe('no-cache');
    const again = await service.call('GET', '/console/boot.js', {
      headers: { 'if-none-match': headers.etag ?? '' },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('says where the interface is, what there is of it, and how it asks who is there', async () => {
    const { headers, body } = await service.get('/console/settings.json');
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({
      version: expect.stringMatching(/^\d/),
      api: '../',
      features: ['health', 'workflows', 'registration', 'runs', 'hitl', 'memory', 'access'],
      identity: { kind: 'none' },
    });
  });

  it.each(['app-00000000.js', 'index.html', 'boot.js.br', '..%2Findex.js', '%2e%2e', 'console.module.d.ts'])(
    'has no file %s',
    async (name) => {
      const { status, body } = await service.get(`/console/${name}`);
      expect([status, body.code]).toEqual([404, 'not-found']);
    },
  );

  it('has nothing below a screen', async () => {
    expect((await service.get('/console/runs/1')).status).toBe(404);
  });

  it(`is below ${folder}`, () => {
    expect(`${new URL(service.url).pathname}/console/`.replace('//', '/')).toBe(folder);
  });
});

describe('in a host', () => {
  it('there is none until it is asked for', async () => {
    const service = await startHostService({ adapter: 'express' });
    expect((await service.get('/console/')).status).toBe(404);
    await service.close();
  });

  const cross = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.test' };

  it('brings the check of web pages, unless the host says otherwise', async () => {
    for (const [options, status] of [
      [{ http: { console: true } }, 403],
      [{ http: { console: true }, webPages: null }, 400],
      [{}, 400],
    ] as const) {
      const service = await startHostService({ adapter: 'express', flowgate: options });
      const { status: answered } = await service.post('/workflows/from-yaml', {}, cross);
      expect([options, answered]).toEqual([options, status]);
      await service.close();
    }
  });

  it('settings name what the host has switched on, and that it knows its users itself', async () => {
    const flowgate = { http: { console: true, memory: false, registration: false }, actor: () => 'ada' };
    const service = await startHostService({ adapter: 'fastify', flowgate });
    expect((await service.get('/console/settings.json')).body).toMatchObject({
      features: ['health', 'workflows', 'runs', 'hitl', 'access'],
      identity: { kind: 'host' },
    });
    await service.close();
  });

  it('settings say that the host knows its users, also where it names principals', async () => {
    const principal = () => ({ owner: 'ada', grants: [{ namespace: 'default', roles: ['viewer'] }] });
    const flowgate = { http: { console: true }, auth: { principal } };
    const service = await startHostService({ adapter: 'express', flowgate });
    expect((await service.get('/console/settings.json')).body.identity).toEqual({ kind: 'host' });
    await service.close();
  });

  it('is at the root as well, after a global prefix', async () => {
    const app = await startHost({
      adapter: 'fastify',
      flowgate: { prefix: '', http: { console: true } },
      setUp: (host) => host.setGlobalPrefix('api'),
    });
    const service = serviceOf(app, '/api');
    expect((await service.get('/console/')).text).toMatch(PAGE);
    await app.close();
  });
});

describe('of the service', () => {
  it('FLOWGATE_CONSOLE=false switches it off', async () => {
    const service = await startService({ FLOWGATE_CONSOLE: 'false' });
    expect((await service.get('/console/')).status).toBe(404);
    await service.close();
  });

  it('page and files are open where a key is asked for, and the settings say that one is', async () => {
    const service = await startService({
      FLOWGATE_AUTH: 'keys',
      FLOWGATE_BOOTSTRAP_KEY_SHA256: '0'.repeat(64),
    });
    expect((await service.get('/console/')).status).toBe(200);
    expect((await service.get('/console/settings.json')).body.identity).toEqual({ kind: 'keys' });
    expect((await service.get('/runs')).status).toBe(401);
    await service.close();
  });
});

async function rawBytes({ url }: Service, path: string, encoding: string) {
  const { request } = await import('node:http');
  return new Promise<{ readonly headers: Headers; readonly bytes: Buffer }>((resolve, reject) => {
    const sent = request(`${url}${path}`, { headers: { 'accept-encoding': encoding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          headers: new Headers(response.headers as Record<string, string>),
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}
