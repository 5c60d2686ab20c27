import { hash, randomBytes } from 'node:crypto';
import { rm, mkdtemp, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../../src/engine/testing/manual-clock.js';
import { TestIssuer } from '../../access/support/issuer.js';
import { until } from '../../support/eventually.js';
import { answerOn, open, type RawAnswer } from '../../support/raw-request.js';
import { document, mock } from '../../support/workflow-documents.js';
import { startService, type Body, type Service } from '../../support/service.js';

const BOOTSTRAP = randomBytes(32).toString('base64');
const MINUTE_MS = 60_000;

let folder: string;
let issuer: TestIssuer;
let clock: ManualClock;
let service: Service;
let admin: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flowgate-slow-bodies-'));
  const accessFile = await grantTo('alice', ['viewer']);
  issuer = await new TestIssuer().start();
  await issuer.addKey('one');
  clock = new ManualClock();
  service = await startService(
    {
      FLOWGATE_AUTH: 'keys,oidc',
      FLOWGATE_BOOTSTRAP_KEY_SHA256: hash('sha256', BOOTSTRAP),
      FLOWGATE_OIDC_ISSUER: issuer.url,
      FLOWGATE_OIDC_AUDIENCE: 'flowgate',
      FLOWGATE_ACCESS_FILE: accessFile,
    },
    { clock },
  );
  const everything = [{ namespace: '*', roles: ['admin'] }];
  const made = await service.post('/keys', { owner: 'root', grants: everything }, bearing(BOOTSTRAP));
  admin = bearing(made.body.secret);
});
afterAll(async () => {
  await service.close();
  await issuer.stop();
  await rm(folder, { recursive: true });
});

/** From the next look at the file on nobody else has anything. Returns its path. */
async function grantTo(
  owner: string,
  roles: readonly string[],
  workflows?: readonly string[],
): Promise<string> {
  const path = join(folder, 'access.json');
  const grants = [{ to: { owner }, namespace: 'default', roles, ...(workflows && { workflows }) }];
  await writeFile(path, JSON.stringify({ grants }));
  return path;
}

const bearing = (secret: string) => ({ authorization: `Bearer ${secret}` });
const made = async (): Promise<Body> => (await service.post('/keys', { owner: 'carl' }, admin)).body;

/** A request that was let in, and whose body has begun to come. */
interface Begun {
  readonly socket: Socket;
  readonly answer: Promise<RawAnswer>;
}

async function begin(path: string, secret: string): Promise<Begun> {
  const socket = await open(service.url);
  const answer = answerOn(socket);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(service.url).host}`,
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    'Content-Length: 2',
    'Connection: close',
    // Whoever is let in is told to go on.
    'Expect: 100-continue',
  ];
  const isLetIn = new Promise<void>((resolve) => socket.once('data', () => resolve()));
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await isLetIn;
  socket.write('{');
  return { socket, answer };
}

/** The last answer: the one before told to go on. */
async function end({ socket, answer }: Begun): Promise<{ readonly status: number; readonly text: string }> {
  socket.write('}');
  const { text } = await answer;
  const last = text.slice(text.lastIndexOf('HTTP/1.1 '));
  return { status: Number(last.split(' ')[1]), text: last };
}

it('no new secret of a key goes to whoever had the one before, and sent the rest of the request after the rotation', async () => {
  const { key, secret } = await made();
  const late = await begin(`/keys/${key.id}/rotate`, secret);
  const rotated = await service.post(`/keys/${key.id}/rotate`, {}, admin);
  expect(rotated.status).toBe(200);
  const { status, text } = await end(late);
  expect([status, text.includes('fgk_'), /^www-authenticate: Bearer/im.test(text)]).toEqual([
    401,
    false,
    true,
  ]);
  const answer = await service.call('GET', '/whoami', { headers: bearing(rotated.body.secret) });
  expect(answer.status).toBe(200);
});

it('no key is made by whoever had the secret of one before its rotation', async () => {
  const { key, secret } = await made();
  const late = await begin('/keys', secret);
  await service.post(`/keys/${key.id}/rotate`, {}, admin);
  expect((await end(late)).status).toBe(401);
  const { body } = await service.call('GET', '/keys?owner=carl', { headers: admin });
  expect(body.items.filter(({ madeBy }: Body) => madeBy === 'carl')).toEqual([]);
});

it('no key is made with a token whose owner was revoked while the body came, however long that took', async () => {
  const now = Math.floor(clock.wallTime() / 1000);
  const token = await issuer.token({ sub: 'alice', iat: now, exp: now + 3_600 });
  expect((await service.call('GET', '/whoami', { headers: bearing(token) })).status).toBe(200);
  const late = await begin('/keys', token);
  expect((await service.post('/owners/alice/revoke', undefined, admin)).status).toBe(204);
  await clock.advance(MINUTE_MS);
  expect((await end(late)).status).toBe(401);
  const { body } = await service.call('GET', '/keys?owner=alice', { headers: admin });
  expect(body.items).toEqual([]);
});

it.each(['/workflows/pay/runs', '/mcp'])(
  'nobody acts whose key was revoked while the body came: %s',
  async (path) => {
    const registered = await service.post(
      '/workflows/from-yaml',
      { yaml: document('pay', [mock('a')]) },
      admin,
    );
    expect(registered.status).toBe(201);
    const grants = [{ namespace: 'default', roles: ['operator'] }];
    const { key, secret } = (await service.post('/keys', { owner: 'dora', grants }, admin)).body;
    const late = await begin(path, secret);
    expect((await service.call('DELETE', `/keys/${key.id}`, { headers: admin })).status).toBe(204);
    const { status, text } = await end(late);
    expect([status, /^www-authenticate: Bearer/im.test(text)]).toEqual([401, true]);
    expect(text).toContain('"code":"unauthorized"');
    const { body } = await service.call('GET', '/runs', { headers: admin });
    expect(body.items).toEqual([]);
  },
);

it.each(['/workflows/pay/runs', '/mcp'])(
  'nobody acts upon a workflow that was taken from them while the body came: %s',
  async (path) => {
    const yaml = document('pay', [mock('a')]);
    expect((await service.post('/workflows/from-yaml', { yaml }, admin)).status).toBe(201);
    const now = Math.floor(clock.wallTime() / 1000);
    const token = await issuer.token({ sub: 'bea', iat: now, exp: now + 3_600 });
    const untilGranted = async (workflow: string): Promise<void> => {
      await grantTo('bea', ['operator'], [workflow]);
      await until(async () => {
        await clock.advance(5_000);
        const { body } = await service.call('GET', '/whoami', { headers: bearing(token) });
        return JSON.stringify(body.grants).includes(workflow);
      }, `${workflow} is granted`);
    };
    await untilGranted('pay');
    const late = await begin(path, token);
    await untilGranted('other');
    const { status, text } = await end(late);
    expect([status, text]).toEqual([503, expect.stringContaining('"code":"auth-unavailable"')]);
    expect(text).toContain('send the request again');
    const { body } = await service.call('GET', '/runs', { headers: admin });
    expect(body.items).toEqual([]);
    // Sent again, it is told what holds now.
    expect((await service.post('/workflows/pay/runs', {}, bearing(token))).body.code).toBe(
      'unknown-workflow',
    );
  },
);

it('whoever is still good gets a key, however slowly the request comes', async () => {
  const late = await begin('/keys', (await made()).secret);
  await clock.advance(MINUTE_MS);
  expect((await end(late)).status).toBe(201);
});
