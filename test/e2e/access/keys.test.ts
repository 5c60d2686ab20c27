import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../../src/engine/testing/manual-clock.js';
import { TestIssuer } from '../../access/support/issuer.js';
import type { AccessInMemory } from '../../support/access.js';
import { startServiceWithAccess } from '../../support/service-with-access.js';
import { startService, type Body, type Service } from '../../support/service.js';

let service: Service;
let access: AccessInMemory;
let admin: Record<string, string>;
beforeAll(async () => {
  ({ service, access } = await startServiceWithAccess());
  admin = access.headersOf('ada', [{ namespace: '*', roles: ['admin'] }]);
});
afterAll(() => service.close());

const OPERATOR = [{ namespace: 'billing', roles: ['operator'], workflows: ['invoice-*'] }];
const bearing = (secret: string) => ({ authorization: `Bearer ${secret}` });
const whoami = async (headers: Record<string, string>): Promise<Body> =>
  (await service.call('GET', '/whoami', { headers })).body;

async function made(body: object = {}, headers = admin): Promise<Body> {
  const answer = await service.post('/keys', body, headers);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

describe('GET /whoami', () => {
  it('says who is asking, and what each grant permits', async () => {
    const headers = access.headersOf('bob', OPERATOR, { name: 'Bob', groups: ['ops'], expiresAt: 5 });
    expect(await whoami(headers)).toEqual({
      auth: 'jwt',
      id: 'bob-1',
      owner: 'bob',
      name: 'Bob',
      groups: ['ops'],
      expiresAt: 5,
      grants: [
        {
          namespace: 'billing',
          permissions: [
            'run:read',
            'run:start',
            'run:steer',
            'run:fork',
            'workflow:read',
            'gate:read',
            'memory:read',
          ],
          workflows: ['invoice-*'],
        },
      ],
    });
  });

  it('answers also whoever has no grant, who may do nothing else', async () => {
    const nobody = access.headersOf('eve', []);
    expect(await whoami(nobody)).toMatchObject({ owner: 'eve', name: null, grants: [] });
    for (const [method, path] of [
      ['GET', '/keys'],
      ['POST', '/keys'],
      ['GET', '/workflows'],
      ['POST', '/mcp'],
    ] as const) {
      const { status } = await service.call(method, path, { headers: nobody });
      expect([path, status]).toEqual([path, 403]);
    }
  });

  it('a role that is not known gives nothing', async () => {
    const headers = access.headersOf('bob', [{ namespace: 'billing', roles: ['gone'] }]);
    expect((await whoami(headers)).grants).toEqual([
      { namespace: 'billing', permissions: [], workflows: null },
    ]);
  });
});

describe('a key', () => {
  it('is made, shown once and kept from caches, and is good then', async () => {
    const answer = await service.post(
      '/keys',
      { owner: 'bob', name: 'CI', groups: ['ops'], grants: OPERATOR },
      admin,
    );
    expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store']);
    const { key, secret } = answer.body;
    expect(key).toMatchObject({ owner: 'bob', name: 'CI', groups: ['ops'], grants: OPERATOR, madeBy: 'ada' });
    expect(await whoami(bearing(secret))).toMatchObject({ auth: 'key', owner: 'bob' });
    const listed = await service.call('GET', '/keys?owner=bob&limit=5', { headers: admin });
    expect(listed.body).toEqual({ items: [key], next: null });
    expect(listed.text).not.toContain(secret);
  });

  it('gets another secret, and is revoked', async () => {
    const { key, secret } = await made({ owner: 'cleo' });
    const rotated = await service.post(`/keys/${key.id}/rotate`, { overlapMs: 0 }, admin);
    expect([rotated.status, rotated.headers['cache-control']]).toEqual([200, 'no-store']);
    expect((await service.call('GET', '/whoami', { headers: bearing(secret) })).status).toBe(401);
    const next = bearing(rotated.body.secret);
    expect(await whoami(next)).toMatchObject({ owner: 'cleo' });
    const revoked = await service.call('DELETE', `/keys/${key.id}`, { headers: admin });
    expect([revoked.status, revoked.text]).toEqual([204, '']);
    expect((await service.call('GET', '/whoami', { headers: next })).status).toBe(401);
  });

  it('that is not there is 404', async () => {
    const answers = [
      await service.post('/keys/gone/rotate', {}, admin),
      await service.call('DELETE', '/keys/gone', { headers: admin }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'unknown-key'],
      [404, 'unknown-key'],
    ]);
  });

  it('of another is made by whoever manages keys alone', async () => {
    const operator = access.headersFor('billing', 'operator');
    const { status, body } = await service.post('/keys', { owner: 'bob' }, operator);
    expect([status, body]).toMatchObject([
      403,
      { code: 'forbidden', details: [{ permission: 'key:manage' }] },
    ]);
    expect((await made({}, operator)).key.owner).toBe('operator@billing');
  });

  it('without a grant, of the start, makes keys', async () => {
    const first = access.headersOf('start', [], { auth: 'key' });
    expect((await service.post('/keys', {}, first)).status).toBe(201);
    expect((await service.call('GET', '/workflows', { headers: first })).status).toBe(403);
  });

  it('is not made by a unit', async () => {
    const { status, body } = await service.post('/keys', {}, { ...admin, 'x-flowgate-run-id': '7' });
    expect([status, body.code]).toEqual([403, 'self-call']);
  });
});

describe('what a body may not say', () => {
  it.each<readonly [object, string]>([
    [{ owner: '' }, 'owner must be'],
    [{ owner: 'a\u0000b' }, 'owner must be'],
    [{ owner: 'e\u0301' }, 'normal form C'],
    [{ owner: 'x'.repeat(257) }, 'owner must be'],
    [{ name: 7 }, 'name must be'],
    [{ name: '' }, 'name must be 1 to 256 characters'],
    [{ groups: 'ops' }, 'groups must be'],
    [{ groups: ['ops', 7] }, 'groups must hold'],
    [{ groups: Array.from({ length: 257 }, () => 'g') }, 'groups must be'],
    [{ grants: {} }, 'grants must be'],
    [{ grants: ['admin'] }, 'grants[0]'],
    [{ grants: [{ namespace: 'Billing', roles: [] }] }, 'grants[0]: namespace must be'],
    [{ grants: [{ namespace: 'billing' }] }, 'grants[0]: roles must be'],
    [{ grants: [{ namespace: 'billing', roles: [''] }] }, 'grants[0].roles must hold'],
    [{ grants: [{ namespace: 'billing', roles: [], workflows: [7] }] }, 'grants[0].workflows must hold'],
    [
      { grants: [{ namespace: 'b', roles: [], workflows: Array.from({ length: 51 }, () => 'w') }] },
      'grants[0]: workflows must be',
    ],
    [{ grants: Array.from({ length: 101 }, () => OPERATOR[0]) }, 'grants must be'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt must be'],
    // What is misspelt would give the key more than was meant.
    [{ grant: [] }, 'grant is no field'],
    [{ permissions: [] }, 'permissions is no field here'],
    [
      { grants: [{ namespace: 'billing', roles: ['viewer'], only: ['a'] }] },
      'grants[0]: only is no field here',
    ],
  ])('%j is 400', async (body, said) => {
    const answer = await service.post('/keys', body, admin);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(said)]);
  });

  it('nor that of a rotation', async () => {
    for (const overlapMs of [-1, 1.5, 604_800_001, '1']) {
      const { status, body } = await service.post('/keys/x/rotate', { overlapMs }, admin);
      expect([status, body.error]).toEqual([400, expect.stringContaining('overlapMs must be')]);
    }
  });

  it('nor the query of a list', async () => {
    for (const query of ['limit=0', 'limit=201', 'owners=ada', 'owner=', 'owner=a%00']) {
      const { status } = await service.call('GET', `/keys?${query}`, { headers: admin });
      expect([query, status]).toEqual([query, 400]);
    }
  });
});

it('where tokens alone say who is asking, there are no keys, and what an owner has can be revoked', async () => {
  const own = await startServiceWithAccess({
    FLOWGATE_AUTH: 'oidc',
    FLOWGATE_OIDC_ISSUER: 'https://login.example.com',
    FLOWGATE_OIDC_AUDIENCE: 'flowgate',
  });
  const headers = own.access.headersFor('*', 'admin');
  const { status, body } = await own.service.post('/keys', {}, headers);
  expect([status, body.error]).toEqual([404, expect.stringContaining('There are no API keys here')]);
  const bob = own.access.headersFor('default', 'viewer');
  const { owner } = (await own.service.call('GET', '/whoami', { headers: bob })).body as { owner: string };
  const path = `/owners/${encodeURIComponent(owner)}/revoke`;
  expect((await own.service.post(path, undefined, headers)).status).toBe(204);
  expect((await own.service.call('GET', '/whoami', { headers: bob })).status).toBe(401);
  await own.service.close();
});

it('where tokens alone say who is asking, an owner is revoked, and the audit tells who did it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flowgate-tokens-alone-'));
  const accessFile = join(folder, 'access.json');
  const grants = [
    { to: { owner: 'root' }, namespace: '*', roles: ['admin'] },
    { to: { owner: 'bob' }, namespace: 'default', roles: ['viewer'] },
  ];
  await writeFile(accessFile, JSON.stringify({ grants }));
  const issuer = await new TestIssuer().start();
  await issuer.addKey('one');
  const clock = new ManualClock();
  const own = await startService(
    {
      FLOWGATE_AUTH: 'oidc',
      FLOWGATE_OIDC_ISSUER: issuer.url,
      FLOWGATE_OIDC_AUDIENCE: 'flowgate',
      FLOWGATE_ACCESS_FILE: accessFile,
    },
    { clock },
  );
  const tokenOf = async (sub: string) => {
    const iat = Math.floor(clock.wallTime() / 1000);
    return { authorization: `Bearer ${await issuer.token({ sub, iat, exp: iat + 3_600 })}` };
  };
  const get = (path: string, headers: Record<string, string>) => own.call('GET', path, { headers });
  const [root, bob] = [await tokenOf('root'), await tokenOf('bob')];
  expect((await get('/whoami', bob)).status).toBe(200);
  expect((await own.post('/owners/root/revoke', undefined, bob)).status).toBe(403);
  expect((await own.post('/owners/bob/revoke', undefined, root)).status).toBe(204);
  expect((await get('/whoami', bob)).status).toBe(401);
  expect((await get('/audit', bob)).status).toBe(401);
  const told = (await get('/audit?action=owner.revoke', root)).body.items;
  expect(told).toMatchObject([
    { action: 'owner.revoke', subject: 'bob', by: { owner: 'root', via: 'http', auth: 'jwt' } },
  ]);
  await clock.advance(31_000);
  expect((await get('/whoami', await tokenOf('bob'))).status).toBe(200);
  await own.close();
  await issuer.stop();
  await rm(folder, { recursive: true });
});

describe('POST /owners/:owner/revoke', () => {
  it('ends what the owner has', async () => {
    const bob = access.headersOf('bob@example.com', OPERATOR);
    const { status, text } = await service.post('/owners/bob%40example.com/revoke', undefined, admin);
    expect([status, text]).toEqual([204, '']);
    expect((await service.call('GET', '/whoami', { headers: bob })).status).toBe(401);
  });

  it('is refused for what is nobody', async () => {
    expect((await service.post('/owners/a%00b/revoke', {}, admin)).status).toBe(400);
  });
});
