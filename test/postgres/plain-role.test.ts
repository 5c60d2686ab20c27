import { createEngine } from '../../src/engine/index.js';
import { StoreError } from '../../src/errors/service-errors.js';
import { postgres } from '../../src/postgres.js';
import { blocksOf, readPage, sectionOf } from '../docs/support/page-blocks.js';
import { inSequence } from '../support/engine.js';
import { eventually, until } from '../support/eventually.js';
import { psql } from './support/programs.js';
import { onConnection, sharedUrl } from './support/server.js';

/** What an administrator does once, as the page says. */
const [SCRIPT] = blocksOf(sectionOf(readPage('docs/scale-out.md'), '## The database and its rights'))
  .filter(({ kind }) => kind === 'sql')
  .map(({ text }) => text);
const PASSWORD = 'hunter2-hunter2';

let made = 0;
let name: string;

beforeEach(() => {
  made += 1;
  name = `plain_${process.pid}_${made}`;
});
afterEach(() =>
  onConnection(async ({ query }) => {
    await query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await query(`DROP ROLE IF EXISTS ${name}`);
  }),
);

/** Does what the page says, under names of this test. */
async function prepare(script = SCRIPT ?? ''): Promise<string> {
  await psql(
    sharedUrl(),
    script.replaceAll('flowgate', name).replace(/PASSWORD '[^']*'/, `PASSWORD '${PASSWORD}'`),
  );
  return sharedUrl({ database: name, user: name, password: PASSWORD });
}

it('a plain role that owns one schema is all that the service needs', async () => {
  const url = await prepare();
  const asAdministrator = sharedUrl({ database: name });
  const [role] = await onConnection(
    ({ query }) => query('SELECT * FROM pg_roles WHERE rolname = $1', [name]),
    asAdministrator,
  );
  expect(role).toMatchObject({
    rolsuper: false,
    rolcreatedb: false,
    rolcreaterole: false,
    rolreplication: false,
    rolbypassrls: false,
  });
  const [rights] = await onConnection(
    ({ query }) =>
      query(
        `SELECT has_database_privilege($1::name, $1::text, 'CREATE') AS may_create,
           has_database_privilege($1::name, $1::text, 'TEMP') AS may_temp,
           pg_has_role($1::name, 'pg_monitor', 'USAGE') AS is_monitor, (SELECT count(*) FROM pg_extension) AS extensions`,
        [name],
      ),
    asAdministrator,
  );
  expect(rights).toEqual({ may_create: false, may_temp: false, is_monitor: false, extensions: 1 });

  const replicas = [0, 1].map(() => {
    const engine = createEngine({
      ...postgres({ url, schema: name }),
      shutdownGraceMs: 1_000,
      sameInstantMs: 0,
    });
    engine.registerUnit('work', ({ context }) => `apples of ${context.unitId}`);
    return engine;
  });
  try {
    for (const engine of replicas) await engine.open();
    const [one, other] = replicas as [(typeof replicas)[0], (typeof replicas)[0]];
    const yaml = inSequence('w', [
      { id: 'a', uses: 'work' },
      { id: 'gate', uses: 'builtin.approval' },
      { id: 'b', uses: 'work' },
    ]);
    await one.workflows.register({ yaml });
    const { runId, status } = await other.runs.start({ workflowId: 'w', sync: true, labels: { a: 'b' } });
    expect(status).toBe('paused');
    const decided = await one.gates.respond({ workflowId: 'w', runId, approved: true, responder: 'ann' });
    expect(decided.status).toBe('completed');
    expect((await other.runs.list({ labels: { a: 'b' } })).items).toHaveLength(1);
    const hits = await eventually(
      () => one.memory.search({ query: 'apples', topK: 9 }),
      ({ length }) => length === 2,
    );
    expect(hits).toHaveLength(2);
    expect((await one.health()).store).toBe('ok');
  } finally {
    for (const engine of replicas) await engine.close();
  }
  // All that it made is in its schema, and its own.
  const [others] = await onConnection(
    ({ query }) =>
      query(
        `SELECT count(*) AS count FROM pg_class JOIN pg_namespace AS n ON n.oid = relnamespace
         WHERE pg_get_userbyid(relowner) = $1 AND nspname <> $1 AND nspname <> 'pg_toast'`,
        [name],
      ),
    asAdministrator,
  );
  expect(others).toEqual({ count: 0 });
});

it('a role that may make nothing is refused, with what to do', async () => {
  const withoutSchema = (SCRIPT ?? '').replace(/^CREATE SCHEMA .*$/m, '');
  expect(withoutSchema).not.toBe(SCRIPT);
  const url = await prepare(withoutSchema);
  const { store } = postgres({ url, schema: name });
  const refusal = await store.open().then(
    () => null,
    (error: unknown) => error,
  );
  await store.close();
  expect(refusal).toBeInstanceOf(StoreError);
  expect((refusal as StoreError).message).toContain(`CREATE SCHEMA "${name}" AUTHORIZATION "${name}"`);
  expect((refusal as StoreError).message).not.toContain(PASSWORD);
});

it('settings of the role do not become those of the service', async () => {
  const url = await prepare();
  await onConnection(async ({ query }) => {
    for (const setting of [
      `search_path = 'nowhere'`,
      `default_transaction_isolation = 'serializable'`,
      `default_transaction_read_only = on`,
      `statement_timeout = '200ms'`,
      `lock_timeout = '200ms'`,
      `DateStyle = 'SQL, DMY'`,
      `TimeZone = 'Asia/Kathmandu'`,
      `extra_float_digits = -15`,
      `synchronous_commit = off`,
      `idle_session_timeout = '100ms'`,
    ])
      await query(`ALTER ROLE ${name} SET ${setting}`);
  });
  const engine = createEngine({ ...postgres({ url, schema: name }), shutdownGraceMs: 1_000 });
  engine.registerUnit('work', () => ({
    content: 'done',
    tokenUsage: { totalTokens: 1, estimatedCost: 0.1 },
  }));
  await engine.open();
  try {
    await engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    const costs: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      // A session that is idle for so long would be gone.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const record = await engine.runs.start({ workflowId: 'w', sync: true });
      expect(record.status).toBe('completed');
      costs.push(record.result?.cost ?? 0);
    }
    expect(costs).toEqual([0.1, 0.1, 0.1]);
    await until(async () => (await engine.health()).store === 'ok', 'the store is well');
    const inUse = await onConnection(
      ({ query }) =>
        query(
          `SELECT count(*) AS count FROM pg_locks WHERE locktype = 'advisory' AND granted
               AND database = (SELECT oid FROM pg_database WHERE datname = $1)`,
          [name],
        ),
      sharedUrl({ database: name }),
    );
    // Its presence, 64 shards and some roles, on a session that has lasted.
    expect(Number(inUse[0]?.['count'])).toBeGreaterThan(64);
  } finally {
    await engine.close();
  }
});
