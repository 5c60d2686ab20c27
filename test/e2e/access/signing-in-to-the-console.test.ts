import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestIssuer } from '../../access/support/issuer.js';
import { ADAPTERS, startHostService } from '../../support/host.js';
import { startService, type Service } from '../../support/service.js';

let folder: string;
let accessFile: string;
let issuer: TestIssuer;
let service: Service;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flowgate-console-'));
  accessFile = join(folder, 'access.json');
  await writeFile(
    accessFile,
    JSON.stringify({ grants: [{ to: { owner: 'alice' }, namespace: 'default', roles: ['viewer'] }] }),
  );
  issuer = await new TestIssuer().start();
  Object.assign(issuer.document, {
    authorization_endpoint: `${issuer.url}/authorize?prompt=login`,
    token_endpoint: `${issuer.url}/token`,
    authorization_response_iss_parameter_supported: true,
  });
  service = await started();
});
afterEach(async () => {
  await service.close();
  await issuer.stop();
  await rm(folder, { recursive: true });
});

const started = (more: Readonly<Record<string, string>> = {}): Promise<Service> =>
  startService({
    FLOWGATE_AUTH: 'oidc',
    FLOWGATE_OIDC_ISSUER: issuer.url,
    FLOWGATE_OIDC_AUDIENCE: 'flowgate',
    FLOWGATE_OIDC_CONSOLE_CLIENT_ID: 'console',
    FLOWGATE_ACCESS_FILE: accessFile,
    ...more,
  });
const connectSrc = async ({ get }: Service, path = '/console/'): Promise<string> =>
  /connect-src ([^;]*)/.exec(String((await get(path)).headers['content-security-policy']))?.[1] ?? '';
const identity = async ({ get }: Service) => (await get('/console/settings.json')).body.identity;

it('the console is told where people sign in, and its page may get tokens there and nowhere else', async () => {
  expect(await identity(service)).toEqual({
    kind: 'oidc',
    signIn: {
      issuer: issuer.url,
      clientId: 'console',
      scopes: ['openid'],
      endpoints: {
        authorization: `${issuer.url}/authorize?prompt=login`,
        token: `${issuer.url}/token`,
        namesIssuer: true,
      },
    },
  });
  const origin = new URL(issuer.url).origin;
  for (const page of ['/console/', '/console/signed-in'])
    expect(await connectSrc(service, page)).toBe(`'self' ${origin}`);
  expect(await connectSrc(service, '/console/boot.js')).toBe("'self'");
});

it('asks for the scopes that clients are told of', async () => {
  const own = await started({ FLOWGATE_OIDC_SCOPES: 'openid,offline_access' });
  expect((await identity(own)).signIn.scopes).toEqual(['openid', 'offline_access']);
  await own.close();
});

it('however many pages are opened, the provider is read once, and what was read holds while it is down', async () => {
  const reads = (): number => issuer.requests.filter((path) => path.endsWith('openid-configuration')).length;
  const before = reads();
  await Promise.all(Array.from({ length: 20 }, () => identity(service)));
  await issuer.stop();
  expect((await identity(service)).signIn.endpoints).not.toBeNull();
  expect(reads()).toBe(before + 1);
});

it('a page that was kept without the provider is another one once it is there', async () => {
  const own = await startService({ FLOWGATE_AUTH: 'keys', FLOWGATE_BOOTSTRAP_KEY_SHA256: 'a'.repeat(64) });
  const kept = (await own.get('/console/')).headers.etag;
  await own.close();
  const page = await service.get('/console/');
  expect(page.headers.etag).not.toBe(kept);
  const again = (etag = '') =>
    service.call('GET', '/console/', { headers: { 'if-none-match': etag, 'accept-encoding': '' } });
  expect([(await again(kept)).status, (await again(page.headers.etag)).status]).toEqual([200, 304]);
});

it.each([
  ['names another issuer', { issuer: 'https://elsewhere.example.com' }],
  ['sends people elsewhere without TLS', { authorization_endpoint: 'http://login.example.com/authorize' }],
  ['has no token endpoint', { token_endpoint: undefined }],
  ['has one that is no address', { token_endpoint: "https://a.example.com; script-src 'unsafe-inline'" }],
])('of a document that %s nothing is told, and its page may ask nobody', async (_what, wrong) => {
  Object.assign(issuer.document, wrong);
  expect((await identity(service)).signIn.endpoints).toBeNull();
  expect(await connectSrc(service)).toBe("'self'");
});

it('without a client people paste their token', async () => {
  const own = await started({ FLOWGATE_OIDC_CONSOLE_CLIENT_ID: '' });
  expect([await identity(own), await connectSrc(own)]).toEqual([{ kind: 'oidc' }, "'self'"]);
  await own.close();
});

it.each(ADAPTERS)('a host on %s has it as an option', async (adapter) => {
  const oidc = { issuer: issuer.url, audience: ['app'], consoleClientId: 'app-console' };
  const own = await startHostService({
    adapter,
    flowgate: { http: { console: true }, auth: { oidc, accessFile } },
  });
  expect((await identity(own)).signIn).toMatchObject({ clientId: 'app-console', scopes: ['openid'] });
  expect(await connectSrc(own)).toBe(`'self' ${new URL(issuer.url).origin}`);
  await own.app.close();
});
