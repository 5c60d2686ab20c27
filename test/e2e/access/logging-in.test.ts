import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { decodeJwt } from 'jose';
import { createService } from '../../../src/app.module.js';
import { readConfig } from '../../../src/config/service/read-config.js';
import { LoginIssuer } from '../../access/support/login-issuer.js';
import { freePort } from '../../support/free-port.js';
import { ADAPTERS, startHostService } from '../../support/host.js';
import { REVISIONS, type Revision } from '../../support/mcp-clients.js';
import { serviceOf, type Service } from '../../support/service.js';
import { startServiceWithAccess } from '../../support/service-with-access.js';
import { startUnitServer, type UnitServer } from '../../support/unit-server.js';
import { bound, document, remote } from '../../support/workflow-documents.js';

const METADATA = '/.well-known/oauth-protected-resource';

/** What a browser asks before a client of MCP in a page of any origin reads the document. */
const PREFLIGHT = {
  origin: 'https://page.example.net',
  'sec-fetch-site': 'cross-site',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'mcp-protocol-version',
};

let folder: string;
let accessFile: string;
let issuer: LoginIssuer;
let service: Service;
let unit: UnitServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flowgate-login-'));
  accessFile = join(folder, 'access.json');
  const grants = [{ to: { owner: 'alice' }, namespace: 'default', roles: ['operator', 'author'] }];
  await writeFile(accessFile, JSON.stringify({ grants }));
  issuer = await new LoginIssuer().start();
  await issuer.addKey('one');
  unit = await startUnitServer({ body: { content: 'paid' } });
  const port = await freePort();
  const { config } = readConfig({
    FLOWGATE_STORE: 'memory',
    LOG_LEVEL: 'silent',
    PORT: String(port),
    FLOWGATE_AUTH: 'keys,oidc',
    FLOWGATE_OIDC_ISSUER: issuer.url,
    FLOWGATE_OIDC_AUDIENCE: 'flowgate',
    FLOWGATE_OIDC_SCOPES: 'flowgate.use',
    FLOWGATE_ACCESS_FILE: accessFile,
  });
  const app = await createService(config);
  await app.listen(port, '127.0.0.1');
  service = serviceOf(app);
});
afterAll(async () => {
  await service.close();
  await Promise.all([issuer.stop(), unit.close()]);
  await rm(folder, { recursive: true });
});

const bearer = async (claims: Record<string, unknown>): Promise<Record<string, string>> => {
  const now = Math.floor(Date.now() / 1000);
  return { authorization: `Bearer ${await issuer.token({ iat: now, exp: now + 300, ...claims })}` };
};

/** What a client of the SDK keeps, and a browser in which its person says yes. */
class Person implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:1/callback';
  readonly clientMetadata = {
    client_name: 'test',
    redirect_uris: [this.redirectUrl],
    token_endpoint_auth_method: 'none',
  };
  callback: URLSearchParams | null = null;
  private readonly kept = new Map<string, unknown>();

  clientInformation = () => this.kept.get('client') as never;
  saveClientInformation = (information: unknown): void => void this.kept.set('client', information);
  tokens = () => this.kept.get('tokens') as { readonly access_token: string } as never;
  saveTokens = (tokens: unknown): void => void this.kept.set('tokens', tokens);
  saveCodeVerifier = (verifier: string): void => void this.kept.set('verifier', verifier);
  codeVerifier = (): string => this.kept.get('verifier') as string;
  saveDiscoveryState = (state: unknown): void => void this.kept.set('discovery', state);
  discoveryState = () => this.kept.get('discovery') as never;
  get token(): string {
    return (this.kept.get('tokens') as { readonly access_token: string }).access_token;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const { status, headers } = await fetch(url, { redirect: 'manual' });
    expect(status).toBe(302);
    this.callback = new URL(headers.get('location') ?? '').searchParams;
  }
}

describe.each(REVISIONS)('the official client of %s', (revision: Revision) => {
  it('logs in by itself, lists the tools and calls one, and no unit sees its token', async () => {
    const person = new Person();
    const connect = async (): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> => {
      const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
        authProvider: person,
      });
      const mode = revision === '2025-11-25' ? ('legacy' as const) : { pin: revision };
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      try {
        await client.connect(transport);
      } catch (error) {
        if (!(error instanceof UnauthorizedError) || person.callback === null) throw error;
        await transport.finishAuth(person.callback);
        person.callback = null;
        return connect();
      }
      return { client, transport };
    };
    const { client } = await connect();
    expect(issuer.resources.at(-1)).toBe(`${service.url}/mcp`);
    expect(issuer.scopes.at(-1)).toBe('flowgate.use');
    expect(decodeJwt(person.token)).toMatchObject({ aud: `${service.url}/mcp`, sub: 'alice' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('run_workflow');

    const mine = { authorization: `Bearer ${person.token}` };
    const yaml = document('pays', [remote('pay')]);
    const bindings = bound('pay', unit.url);
    expect((await service.post('/workflows/from-yaml', { yaml, bindings }, mine)).status).toBe(201);
    const called = await client.callTool({
      name: 'run_workflow',
      arguments: { workflowId: 'pays', sync: true },
    });
    expect(called.structuredContent).toMatchObject({ status: 'completed' });
    const sent = JSON.stringify(unit.requests);
    expect([unit.requests.length > 0, sent.includes(person.token), /authorization/i.test(sent)]).toEqual([
      true,
      false,
      false,
    ]);
    await client.close();
  });
});

it('says with each 401 of the gateway, and with no other, where a client reads how it gets a token', async () => {
  const where = `resource_metadata="${service.url}${METADATA}/mcp", scope="flowgate.use"`;
  for (const headers of [
    {},
    { accept: 'application/json, text/event-stream' },
    await bearer({ aud: 'other' }),
  ]) {
    const { status, headers: said } = await service.call('POST', '/mcp', { body: '{', headers });
    expect([status, said['www-authenticate']]).toEqual([401, `Bearer ${where}`]);
  }
  for (const path of ['/runs', '/nowhere']) {
    const { status, headers } = await service.get(path);
    expect([path, status, headers['www-authenticate']]).toEqual([path, 401, 'Bearer scope="flowgate.use"']);
  }
});

it('says so to everybody, and to pages of any origin', async () => {
  for (const path of [METADATA, `${METADATA}/mcp`, `${METADATA}/`]) {
    const headers = { origin: 'https://anywhere.example', 'sec-fetch-site': 'cross-site' };
    const { status, headers: said, body } = await service.call('GET', path, { headers });
    expect([path, status, said['access-control-allow-origin']]).toEqual([path, 200, '*']);
    expect(body).toEqual({
      resource: `${service.url}/mcp`,
      authorization_servers: [issuer.url],
      scopes_supported: ['flowgate.use'],
      resource_name: 'flowgate',
      bearer_methods_supported: ['header'],
    });
  }
});

it.each([
  ['the gateway', () => `${service.url}/mcp`, 200],
  ['the service', () => 'flowgate', 200],
  ['both', () => ['flowgate', `${service.url}/mcp`], 200],
  ['the service at another address', () => 'http://127.0.0.1:1/mcp', 401],
  ['the service without the gateway', () => service.url, 401],
  ['the gateway, with a slash', () => `${service.url}/mcp/`, 401],
  ['nobody', () => undefined, 401],
])('a token that is meant for %s is answered so', async (_whom, audience, status) => {
  const headers = await bearer({ aud: audience() });
  const answer = await service.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers);
  expect(answer.status).toBe(status);
  expect((await service.call('GET', '/runs', { headers })).status).toBe(status);
});

describe('where no client can log in', () => {
  it.each([
    [{ FLOWGATE_AUTH: 'keys', FLOWGATE_PUBLIC_URL: 'https://flow.example.com' }, 401],
    [{ FLOWGATE_AUTH: 'none', FLOWGATE_PUBLIC_URL: 'https://flow.example.com' }, 404],
  ] as const)('%j: there is nothing about it', async (settings, status) => {
    const { service: own, access } = await startServiceWithAccess(settings);
    const nowhere = await own.get('/.well-known/nowhere');
    for (const path of [METADATA, `${METADATA}/mcp`]) {
      const { status: got, body, headers } = await own.get(path);
      expect([path, got]).toEqual([path, status]);
      expect(body).toEqual({
        ...nowhere.body,
        error: nowhere.body.error.replace('/.well-known/nowhere', path),
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      const known = { headers: access.headersFor('*', 'admin') };
      expect((await own.call('GET', path, known)).status).toBe(404);
      expect((await own.call('POST', path, known)).status).toBe(404);
      const asked = { headers: { ...known.headers, ...PREFLIGHT } };
      const { status: preflight, headers: said } = await own.call('OPTIONS', path, asked);
      expect([preflight, said['access-control-allow-origin']]).toEqual([404, undefined]);
    }
    expect((await own.get('/mcp')).headers['www-authenticate'] ?? 'Bearer').toBe('Bearer');
    await own.close();
  });
});

it.each([METADATA, `${METADATA}/mcp`])(
  'a page of any origin may read %s, with headers of its own',
  async (path) => {
    const { status, headers, text } = await service.call('OPTIONS', path, { headers: PREFLIGHT });
    expect([status, text]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': '*',
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    const { origin } = PREFLIGHT;
    const sent = { origin, 'sec-fetch-site': 'cross-site', 'mcp-protocol-version': '2025-11-25' };
    const read = await service.call('GET', path, { headers: sent });
    expect([read.status, read.headers['access-control-allow-origin']]).toEqual([200, '*']);
  },
);

it.each(ADAPTERS)('a host on %s says it below its prefix', async (adapter) => {
  const own = await startHostService({
    adapter,
    flowgate: {
      publicUrl: 'https://app.example.com/flowgate/',
      auth: { oidc: { issuer: issuer.url, audience: ['app'] }, accessFile },
    },
  });
  const { headers } = await own.post('/mcp', {});
  const at = 'https://app.example.com/flowgate';
  expect(headers['www-authenticate']).toBe(`Bearer resource_metadata="${at}${METADATA}/mcp"`);
  const { status, body } = await own.get(`${METADATA}/mcp`);
  expect([status, body.resource]).toEqual([200, `${at}/mcp`]);
  const preflight = await own.call('OPTIONS', `${METADATA}/mcp`, { headers: PREFLIGHT });
  expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
  const mine = await bearer({ aud: `${at}/mcp` });
  expect((await own.call('GET', '/whoami', { headers: mine })).body).toMatchObject({ owner: 'alice' });
  await own.app.close();
});

it('a host that gives no address is not started', async () => {
  const flowgate = { publicUrl: 'http://app.example.com', auth: null };
  await expect(startHostService({ adapter: 'express', flowgate })).rejects.toThrow('publicUrl is http://app');
});
