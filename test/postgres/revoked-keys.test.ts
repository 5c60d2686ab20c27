import { setTimeout as delay } from 'node:timers/promises';
import { ServiceProcess } from '../crash/support/service-process.js';
import { bearer, bootstrap, EVERYTHING } from '../support/first-key.js';
import { until } from '../support/eventually.js';
import { counted } from './support/counts.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';
import { startProxy, type Proxy } from './support/proxy.js';
import { sharedServer } from './support/server.js';

/** After that nothing that was revoked is taken, anywhere: by what replicas go, however slow the machine is. */
const HOLDS_AFTER_MS = 5_000;
const REVOKED = counted(200);
/** Between two revocations: they fall anywhere between two looks, which are two seconds apart. */
const APART_MS = 87;
const GIVES_UP_AFTER_MS = 20_000;
const READER = [{ namespace: 'team', roles: ['viewer'] }];

/** One service process, and its own way to the database. */
interface Replica {
  readonly service: ServiceProcess;
  readonly url: string;
  readonly way: Proxy;
}

let database: StartedDatabase;
let replicas: readonly Replica[];
let admin: string;

beforeAll(async () => {
  database = await startedDatabase();
  const { key, settings } = bootstrap();
  const start = async (): Promise<Replica> => {
    const way = await startProxy(sharedServer().port);
    const service = new ServiceProcess({
      dataDir: '',
      environment: {
        ...settings,
        LOG_LEVEL: 'info',
        FLOWGATE_STORE: 'postgres',
        FLOWGATE_DATABASE_URL: way.through(database.url),
        FLOWGATE_DATABASE_SCHEMA: database.schema,
      },
    });
    return { service, way, url: await service.listening };
  };
  replicas = await Promise.all([start(), start(), start()]);
  const first = { owner: 'admin@example.com', grants: EVERYTHING };
  admin = (await made(replica(0), key, first)).secret;
}, 120_000);
afterAll(async () => {
  for (const { service, way } of replicas) {
    await service.kill();
    await way.close();
  }
  await database.dispose();
});

function replica(index: number): Replica {
  const one = replicas[index % replicas.length];
  if (one === undefined) throw new Error('No replica is running.');
  return one;
}

function send({ url }: Replica, method: string, path: string, secret: string, body?: object) {
  return fetch(url + path, {
    method,
    headers: { ...bearer(secret), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(GIVES_UP_AFTER_MS),
  });
}

/** The status of a request that a reader may make. */
async function asked(at: Replica, secret: string): Promise<number> {
  const response = await send(at, 'GET', '/runs?limit=1', secret);
  await response.body?.cancel();
  return response.status;
}

async function made(at: Replica, by: string, request: object) {
  const response = await send(at, 'POST', '/keys', by, request);
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST /keys answered ${response.status}: ${text}`);
  const { key, secret } = JSON.parse(text) as {
    readonly key: { readonly id: string };
    readonly secret: string;
  };
  return { id: key.id, secret };
}

const reader = (number: number, at: Replica) =>
  made(at, admin, { owner: `reader-${number}@example.com`, grants: READER });

async function revoke(at: Replica, id: string): Promise<void> {
  const response = await send(at, 'DELETE', `/keys/${id}`, admin);
  expect(response.status).toBe(204);
}

const everywhere = (secret: string) => Promise.all(replicas.map((one) => asked(one, secret)));

describe.each([
  ['that tells of changes', false],
  ['whose notifications are lost', true],
])('three replicas on a database %s', (_how, areLost) => {
  beforeEach(() => {
    for (const { way } of replicas) way.dropsNotifications = areLost;
  });

  it(`refuse, each of them after 5 s, what was revoked at one: ${REVOKED} times`, async () => {
    const once = async (number: number): Promise<void> => {
      await delay(number * APART_MS);
      const { id, secret } = await reader(number, replica(number));
      // Each remembers it by now.
      expect(await everywhere(secret)).toEqual([200, 200, 200]);
      await revoke(replica(number + 1), id);
      expect(await asked(replica(number + 1), secret)).toBe(401);
      await delay(HOLDS_AFTER_MS);
      const now = await everywhere(secret);
      // One that is behind has no answer, and no yes.
      expect(now.filter((status) => status !== 401 && status !== 503)).toEqual([]);
      await until(
        async () => (await everywhere(secret)).every((status) => status === 401),
        'a revoked key is refused everywhere',
        GIVES_UP_AFTER_MS,
      );
    };
    await Promise.all(Array.from({ length: REVOKED }, (_, number) => once(number)));
  }, 300_000);
});

describe.each<[string, (way: Proxy) => void, (way: Proxy) => void]>([
  ['does not answer', (way) => way.freeze(), (way) => way.thaw()],
  [
    'is gone',
    (way) => {
      way.leadTo(1);
      way.cut();
    },
    (way) => way.leadTo(sharedServer().port),
  ],
])('a replica whose database %s', (_how, lose, regain) => {
  it('is 503 within 5 s, says yes to nobody meanwhile, and works once it is back', async () => {
    const lost = replica(2);
    const [kept, revoked, unseen] = await Promise.all(
      [0, 1, 2].map((number) => reader(1_000 + number, replica(0))),
    );
    if (kept === undefined || revoked === undefined || unseen === undefined) throw new Error('No keys.');
    for (const { secret } of [kept, revoked]) expect(await everywhere(secret)).toEqual([200, 200, 200]);
    lose(lost.way);
    try {
      await revoke(replica(0), revoked.id);
      await delay(HOLDS_AFTER_MS);
      const statuses = await Promise.all([kept, revoked, unseen].map(({ secret }) => asked(lost, secret)));
      expect(statuses).toEqual([503, 503, 503]);
      const response = await send(lost, 'GET', '/whoami', kept.secret);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
        503,
        'auth-unavailable',
      ]);
      // The others have their database.
      expect([await asked(replica(0), kept.secret), await asked(replica(1), revoked.secret)]).toEqual([
        200, 401,
      ]);
    } finally {
      regain(lost.way);
    }
    await until(async () => (await asked(lost, kept.secret)) === 200, 'a key is taken again', 60_000);
    expect(await asked(lost, unseen.secret)).toBe(200);
    expect(await asked(lost, revoked.secret)).toBe(401);
  }, 120_000);
});
