import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SqliteRunStore } from '../../../src/index.js';
import { builtWorkers } from '../../support/built-worker.js';
import { temporaryFolder } from '../../support/data-folder.js';
import { startService, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

// All of it as it is shipped: the service, its keys, a SQLite file; nothing in the place of another thing.
const BOOTSTRAP = randomBytes(32).toString('base64');
const DOCUMENT = document('invoice', [mock('pay'), gate('approve')]);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: Service;
const secrets: string[] = [BOOTSTRAP];

function start(): Promise<Service> {
  const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
  return startService(
    {
      FLOWGATE_AUTH: 'keys',
      FLOWGATE_BOOTSTRAP_KEY_SHA256: createHash('sha256').update(BOOTSTRAP).digest('hex'),
      FLOWGATE_REGISTRY: 'durable',
    },
    { store },
  );
}

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await start();
});
afterAll(async () => {
  await service.close();
  await folder.remove();
});

const bearer = (key: string, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${key}`,
  ...more,
});

async function make(by: string, request: object) {
  const { status, body, text } = await service.post('/keys', request, bearer(by));
  if (status !== 201) throw new Error(text);
  secrets.push(body.secret as string);
  return body as { readonly key: { readonly id: string }; readonly secret: string };
}

const grantsIn = (namespace: string, ...roles: readonly string[]) => ({ grants: [{ namespace, roles }] });

it('from the bootstrap key to tenants who see nothing of one another, through a restart, to a revoked key', async () => {
  // The bootstrap key makes keys and does nothing else, and then it is over.
  for (const path of ['/whoami', '/workflows', '/keys'])
    expect([path, (await service.call('GET', path, { headers: bearer(BOOTSTRAP) })).status]).not.toEqual([
      path,
      200,
    ]);
  const admin = await make(BOOTSTRAP, { owner: 'ada', ...grantsIn('*', 'admin') });
  expect((await service.post('/keys', { owner: 'eve' }, bearer(BOOTSTRAP))).status).toBe(401);
  const me = await service.call('GET', '/whoami', { headers: bearer(admin.secret) });
  expect([me.status, me.body.owner, me.body.auth]).toEqual([200, 'ada', 'key']);

  const acme = await make(admin.secret, {
    owner: 'ann',
    ...grantsIn('acme', 'author', 'operator', 'approver'),
  });
  const zen = await make(admin.secret, {
    owner: 'zoe',
    ...grantsIn('zen', 'author', 'operator', 'approver'),
  });
  const ids: string[] = [];
  for (const { secret } of [acme, zen]) {
    const headers = bearer(secret, { 'idempotency-key': 'one' });
    expect((await service.post('/workflows/from-yaml', { yaml: DOCUMENT }, bearer(secret))).status).toBe(201);
    const run = await service.post('/workflows/invoice/runs', { sync: true }, headers);
    expect([run.status, run.body.status]).toEqual([202, 'paused']);
    ids.push(run.body.runId as string);
  }
  const [ofAcme, ofZen] = ids as [string, string];
  expect(ofAcme).not.toBe(ofZen);

  const look = async (): Promise<void> => {
    const headers = bearer(acme.secret);
    const list = await service.call('GET', '/runs', { headers });
    expect((list.body.items as { runId: string }[]).map(({ runId }) => runId)).toEqual([ofAcme]);
    const gates = await service.call('GET', '/gates', { headers });
    expect([gates.body.open, gates.text.includes(ofZen)]).toEqual([1, false]);
    const elsewhere = await service.call('GET', `/runs/${ofZen}`, { headers });
    const never = await service.call('GET', `/runs/${ofZen.replaceAll(/[0-9a-f]/g, '0')}`, { headers });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([never.status, never.body.code]);
    const named = bearer(acme.secret, { 'flowgate-namespace': 'zen' });
    expect((await service.call('GET', '/runs', { headers: named })).status).toBe(403);
    const decision = await service.post(
      `/workflows/invoice/runs/${ofZen}/hitl`,
      { approved: true },
      bearer(acme.secret),
    );
    expect(decision.status).toBe(500);
  };
  await look();
  await service.close();
  service = await start();
  await look();

  // Who decided is the owner of the key, whatever the body says.
  const decided = await service.post(
    `/workflows/invoice/runs/${ofAcme}/hitl`,
    { approved: true, responder: 'the CFO' },
    bearer(acme.secret),
  );
  expect([decided.status, decided.body.result.state['hitl.responder']]).toEqual([200, 'ann']);

  expect(
    (await service.call('DELETE', `/keys/${acme.key.id}`, { headers: bearer(admin.secret) })).status,
  ).toBe(204);
  const refused = await service.call('GET', '/runs', { headers: bearer(acme.secret) });
  expect([refused.status, refused.headers['www-authenticate'], refused.body.code]).toEqual([
    401,
    'Bearer',
    'unauthorized',
  ]);
  expect((await service.call('GET', '/runs', { headers: bearer(zen.secret) })).status).toBe(200);
}, 60_000);

it('leave no secret in the folder', async () => {
  for (const name of await readdir(folder.path, { recursive: true })) {
    const text = await readFile(join(folder.path, name), 'latin1').catch(() => '');
    for (const secret of secrets) expect([name, text.includes(secret)]).toEqual([name, false]);
  }
});
