import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SqliteRunStore } from '../../../src/index.js';
import { builtWorkers } from '../../support/built-worker.js';
import { temporaryFolder } from '../../support/data-folder.js';
import { until } from '../../support/eventually.js';
import { watch } from '../../support/event-stream.js';
import { startService, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

// All of it as it is shipped: the service, its keys, a SQLite file; nothing in the place of another thing.
const BOOTSTRAP = randomBytes(32).toString('base64');
const PAYLOADS = [
  'secret-of-the-input',
  'secret-of-the-document',
  'secret-of-the-comment',
  'secret-of-the-label',
];
const DOCUMENT = document('invoice', [mock('pay', 'secret-of-the-document'), gate('approve')]);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: Service;
let store: SqliteRunStore;
let admin: Awaited<ReturnType<typeof make>>;
const secrets: string[] = [BOOTSTRAP];

async function start(): Promise<void> {
  store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
  service = await startService(
    {
      FLOWGATE_AUTH: 'keys',
      FLOWGATE_BOOTSTRAP_KEY_SHA256: createHash('sha256').update(BOOTSTRAP).digest('hex'),
      FLOWGATE_REGISTRY: 'durable',
    },
    { store },
  );
}

const bearer = (key: string, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${key}`,
  ...more,
});

async function make(by: string, owner: string, namespace: string, ...roles: readonly string[]) {
  const request = { owner, grants: [{ namespace, roles }] };
  const { status, body, text } = await service.post('/keys', request, bearer(by));
  if (status !== 201) throw new Error(text);
  secrets.push(body.secret as string);
  return { id: body.key.id as string, secret: body.secret as string };
}

interface Act {
  readonly id: string;
  readonly action: string;
  readonly namespace: string | null;
  readonly by: { readonly owner: string | null; readonly id: string } | null;
  readonly runId: string | null;
  readonly subject: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** All pages, oldest first. */
async function acts(key: string, query = '', headers: Record<string, string> = {}): Promise<Act[]> {
  const found: Act[] = [];
  let cursor = '';
  for (;;) {
    const path = `/audit?limit=3${query}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { status, body, text } = await service.call('GET', path, { headers: bearer(key, headers) });
    if (status !== 200) throw new Error(text);
    found.push(...(body.items as Act[]));
    if (body.next === null) return found.toReversed();
    cursor = body.next as string;
  }
}
const said = (list: readonly Act[]): readonly string[] =>
  list.map(
    ({ action, by, subject }) => `${by?.owner ?? 'nobody'} ${action}${subject === null ? '' : ` ${subject}`}`,
  );

beforeAll(async () => {
  folder = await temporaryFolder();
  await start();
});
afterAll(async () => {
  await service.close();
  await folder.remove();
});

it('tells once of all that somebody did, to those who may know, through a restart and a purge', async () => {
  admin = await make(BOOTSTRAP, 'ada', '*', 'admin');
  const ann = await make(admin.secret, 'ann', 'acme', 'author', 'operator', 'approver');
  const auditor = await make(admin.secret, 'aud', 'acme', 'auditor');
  const zoe = await make(admin.secret, 'zoe', 'zen', 'auditor');

  const of = (key: string) => bearer(key);
  expect((await service.post('/workflows/from-yaml', { yaml: DOCUMENT }, of(ann.secret))).status).toBe(201);
  const input = { word: 'secret-of-the-input' };
  const begun = await service.post(
    '/workflows/invoice/runs',
    { sync: true, input, labels: { word: 'secret-of-the-label' } },
    of(ann.secret),
  );
  const runId = begun.body.runId as string;
  const run = `/workflows/invoice/runs/${runId}`;
  const decision = { approved: true, comment: 'secret-of-the-comment', responder: 'the CFO' };
  expect((await service.post(`${run}/hitl`, decision, of(ann.secret))).status).toBe(200);
  expect((await service.call('GET', `${run}/export`, { headers: of(auditor.secret) })).status).toBe(200);
  for (let count = 0; count < 3; count += 1) {
    expect((await service.call('GET', '/metrics', { headers: of(zoe.secret) })).status).toBe(403);
    expect((await service.call('GET', '/runs', { headers: of('nonsense') })).status).toBe(401);
    const foreign = bearer(zoe.secret, { 'flowgate-namespace': 'acme' });
    expect((await service.call('GET', '/audit', { headers: foreign })).status).toBe(403);
  }
  await service.call('DELETE', `/keys/${zoe.id}`, { headers: of(admin.secret) });
  await service.call('DELETE', '/workflows/invoice', { headers: of(ann.secret) });

  const inAcme = [
    'ada key.make ann',
    'ada key.make aud',
    'ann workflow.register',
    'ann run.start',
    'ann gate.decide',
    'aud run.export',
    'ann workflow.unregister',
  ];
  await until(async () => (await acts(auditor.secret)).length === inAcme.length, 'all is told');
  const seen = await acts(auditor.secret);
  expect([...said(seen)].sort()).toEqual([...inAcme].sort());
  expect(seen.find(({ action }) => action === 'gate.decide')).toMatchObject({
    namespace: 'acme',
    runId,
    by: { id: ann.id, owner: 'ann', via: 'http', auth: 'key' },
    facts: { unitId: 'approve', approved: true },
  });

  // What belongs to none, and to other tenants, is for whoever may read it everywhere.
  const none = (await acts(admin.secret, '', { 'flowgate-namespace': 'nowhere' })).filter(
    ({ namespace }) => namespace === null,
  );
  expect([...said(none)].sort()).toEqual(
    [
      'nobody service.start',
      'nobody key.make ada',
      'zoe request.refuse',
      'nobody request.refuse',
      'zoe request.refuse',
    ].sort(),
  );
  expect(none.find(({ action }) => action === 'service.start')?.facts).toEqual({
    weakened: ['auth.keys.bootstrapKeySha256'],
  });

  // Filters, lines, and no id of another tenant's.
  expect(said(await acts(auditor.secret, '&owner=aud'))).toEqual(['aud run.export']);
  expect(said(await acts(auditor.secret, '&action=gate.decide'))).toEqual(['ann gate.decide']);
  expect(await acts(auditor.secret, `&after=${Date.now() + 60_000}`)).toEqual([]);
  const bad = await service.call('GET', '/audit?action=anything', { headers: of(auditor.secret) });
  expect([bad.status, bad.body.code]).toEqual([400, 'invalid-request']);
  const lines = await service.call('GET', '/audit?limit=1', {
    headers: bearer(auditor.secret, { accept: 'application/x-ndjson' }),
  });
  expect(lines.headers['content-type']).toContain('application/x-ndjson');
  const told = lines.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Act);
  expect(told.toReversed()).toEqual(seen);

  // Nothing twice and nothing lost.
  await service.close();
  await start();
  expect(await store.purgeEnded({ endedBefore: Date.now() + 1, throughPosition: null, limit: 10 })).toEqual([
    runId,
  ]);
  expect((await service.call('GET', `/runs/${runId}`, { headers: of(admin.secret) })).status).toBe(404);
  expect([...said(await acts(auditor.secret))].sort()).toEqual([...inAcme].sort());
  expect([...said(await acts(auditor.secret, `&runId=${runId}`))].sort()).toEqual(
    ['ann run.start', 'ann gate.decide', 'aud run.export'].sort(),
  );
  const starts = await acts(admin.secret, '&action=service.start');
  expect(starts).toHaveLength(2);

  // As it is recorded, and from where a client was cut off.
  const headers = of(auditor.secret);
  const stream = await watch(`${service.url}/audit?action=workflow.register`, { headers });
  await until(() => stream.text().includes('id:'), 'the stream has begun');
  await service.post('/workflows/from-yaml', { yaml: DOCUMENT }, of(ann.secret));
  await stream.until((events) => events.length > 0);
  expect(stream.events[0]).toMatchObject({
    event: 'act',
    data: { action: 'workflow.register', namespace: 'acme' },
  });
  stream.leave();
  await service.post('/workflows/from-yaml', { yaml: DOCUMENT }, of(ann.secret));
  const again = await watch(`${service.url}/audit`, { headers, lastId: stream.lastId() });
  await again.until((events) => events.length > 0);
  expect(again.events.map(({ event }) => event)).toEqual(['act']);
  again.leave();
  const unknown = await watch(`${service.url}/audit`, { headers, lastId: 'nonsense' });
  await unknown.until((events) => events.length > 0);
  expect(unknown.events[0]?.event).toBe('reset');
  unknown.leave();
}, 60_000);

/** What is in a table. */
function rows(table: string) {
  const database = new DatabaseSync(join(folder.path, 'runs.db'), { readOnly: true });
  try {
    return database.prepare(`SELECT * FROM ${table}`).all();
  } finally {
    database.close();
  }
}

it('writes, when it is closed, the refusals that it only counted so far, and which keys were used', async () => {
  const before = rows('audit').filter(({ action }) => action === 'request.refuse-more').length;
  const ivy = await make(admin.secret, 'ivy', 'ivory', 'viewer');
  expect((await service.call('GET', '/runs', { headers: bearer(ivy.secret) })).status).toBe(200);
  for (let count = 0; count < 3; count += 1)
    expect((await service.call('GET', '/metrics', { headers: bearer(ivy.secret) })).status).toBe(403);
  await service.close();
  const counted = rows('audit').filter(({ action }) => action === 'request.refuse-more');
  expect(counted).toHaveLength(before + 1);
  expect(JSON.parse(String(counted.at(-1)?.['facts']))).toEqual({ count: 2 });
  expect(rows('access_keys').find(({ id }) => id === ivy.id)?.['last_used_at']).toEqual(expect.any(Number));
  await start();
});

it('keeps no secret, no payload and, outside of one table, no person', async () => {
  await service.close();
  const [audit, people] = [rows('audit'), rows('people')].map((all) => JSON.stringify(all)) as [
    string,
    string,
  ];
  for (const word of [...secrets, ...PAYLOADS])
    expect([word, `${audit}${people}`.includes(word)]).toEqual([word, false]);
  for (const owner of ['ada', 'ann', 'aud', 'zoe']) {
    expect([owner, people.includes(`"${owner}"`)]).toEqual([owner, true]);
    expect([owner, new RegExp(`\\b${owner}\\b`).test(audit)]).toEqual([owner, false]);
  }
  await start();
});
