import { startPgBouncer, type PgBouncer, type PgBouncerOptions } from '../../tools/postgres/pgbouncer.mjs';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { StoreError } from '../../src/errors/service-errors.js';
import { postgres, type PostgresOptions, type PostgresParts } from '../../src/postgres.js';
import { blocksOf, readPage, sectionOf } from '../docs/support/page-blocks.js';
import { inSequence } from '../support/engine.js';
import { eventually, until } from '../support/eventually.js';
import { newSchema } from './support/database.js';
import { psql } from './support/programs.js';
import { onConnection, sharedServer, sharedUrl } from './support/server.js';

const RUNS = 60;

/** What the page says that a role needs behind a pooler. */
const SETTINGS = blocksOf(sectionOf(readPage('docs/scale-out.md'), '## Poolers'))
  .filter(({ kind }) => kind === 'sql')
  .map(({ text }) => text)
  .join('\n');
const ROLE = `pooled_${process.pid}`;

let schema: string;
let bouncer: PgBouncer;
const DIRECT = sharedUrl({ user: ROLE });
const opened: { readonly engine: Engine; readonly parts: PostgresParts }[] = [];
beforeAll(async () => {
  await onConnection(({ query }) => query(`CREATE ROLE ${ROLE} LOGIN`));
  await psql(sharedUrl(), SETTINGS.replaceAll('flowgate', ROLE));
});
afterAll(() => onConnection(({ query }) => query(`DROP ROLE ${ROLE}`)));
beforeEach(async () => {
  schema = newSchema();
  await onConnection(({ query }) => query(`CREATE SCHEMA "${schema}" AUTHORIZATION ${ROLE}`));
});
afterEach(async () => {
  for (const { engine } of opened.splice(0)) await engine.close();
  await bouncer.stop();
  await onConnection(({ query }) => query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`));
});

async function behind(options: Omit<PgBouncerOptions, 'port' | 'user'>): Promise<string> {
  bouncer = await startPgBouncer({ port: sharedServer().port, user: ROLE, ...options });
  return bouncer.through(DIRECT);
}

async function open(options: PostgresOptions): Promise<Engine> {
  const parts = postgres({ schema, ...options });
  const engine = createEngine({ ...parts, shutdownGraceMs: 2_000, sameInstantMs: 0 });
  engine.registerUnit('work', ({ context }) => `${context.unitId} of the run`);
  opened.push({ engine, parts });
  await engine.open();
  return engine;
}

/** What `open` says against it, in one line. */
async function refusal(options: PostgresOptions): Promise<string> {
  const { store } = postgres({ schema, ...options });
  try {
    await store.open();
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    const { message } = error as StoreError;
    expect(message).not.toContain('\n');
    return message;
  } finally {
    await store.close();
  }
  throw new Error('It was opened.');
}

const GATED = inSequence('gated', [
  { id: 'before', uses: 'work' },
  { id: 'gate', uses: 'builtin.approval' },
  { id: 'after', uses: 'work' },
]);

/** Begins runs at each, decides them at the other, and looks on at both: nearly everything that is asked of the database. */
async function useBoth(one: Engine, other: Engine): Promise<void> {
  await one.workflows.register({ yaml: GATED });
  const runs = await Promise.all(
    Array.from({ length: RUNS }, (_, index) =>
      (index % 2 === 0 ? one : other).runs.start({ workflowId: 'gated', sync: true }),
    ),
  );
  const ended = await Promise.all(
    runs.map(({ runId }, index) =>
      (index % 2 === 0 ? other : one).gates.respond({
        workflowId: 'gated',
        runId,
        approved: true,
        responder: 'ann',
      }),
    ),
  );
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']));
  for (const engine of [one, other]) {
    expect((await engine.runs.list({ limit: 100, status: ['completed'] })).items).toHaveLength(RUNS);
    expect((await engine.standing()).openGates).toBe(0);
    await eventually(
      () => engine.memory.search({ query: 'after run', topK: 5 }),
      (results) => results.length === 5,
      { what: 'found' },
    );
  }
}

describe('PgBouncer in transaction mode', () => {
  it('is refused as the way of the session that holds the locks', async () => {
    const pooled = await behind({ mode: 'transaction' });
    expect(await refusal({ url: pooled })).toMatch(/pooler.*FLOWGATE_DATABASE_SESSION_URL/);
    expect(await refusal({ url: DIRECT, sessionUrl: pooled })).toMatch(/pooler/);
  });

  it('serves two replicas that have another way for that session, and so it does when one of them goes', async () => {
    const url = await behind({ mode: 'transaction', sessions: 3 });
    const one = await open({ url, sessionUrl: DIRECT });
    const other = await open({ url, sessionUrl: DIRECT });
    await until(
      () => opened.every(({ parts }) => parts.driver.figures!().shardsOwned === 32),
      'each has its half',
    );
    await useBoth(one, other);
    const [first] = opened.splice(0, 1);
    await first!.engine.close();
    await until(() => opened[0]!.parts.driver.figures!().shardsOwned === 64, 'the other has all');
    expect((await other.runs.start({ workflowId: 'gated', sync: true })).status).toBe('paused');
  });

  it('gives the sessions of the server to others as they were', async () => {
    const url = await behind({ mode: 'transaction', sessions: 3 });
    const engine = await open({ url, sessionUrl: DIRECT });
    await engine.workflows.register({ yaml: GATED });
    await Promise.all(
      Array.from({ length: 20 }, () => engine.runs.start({ workflowId: 'gated', sync: true })),
    );
    const settings = [
      'search_path',
      'statement_timeout',
      'lock_timeout',
      'jit',
      'plan_cache_mode',
      'TimeZone',
    ];
    const read = `SELECT name, setting FROM pg_settings WHERE name = ANY ($1) ORDER BY name`;
    const usual = await onConnection(({ query }) => query(read, [settings]), DIRECT);
    const leftOver = `SELECT count(*) AS count FROM pg_prepared_statements`;
    for (let look = 0; look < 6; look += 1) {
      await onConnection(async ({ query }) => {
        expect(await query(read, [settings])).toEqual(usual);
        expect(await query(leftOver)).toEqual([{ count: 0 }]);
      }, url);
    }
  });
});

it('PgBouncer in session mode serves two replicas by itself', async () => {
  const url = await behind({ mode: 'session', sessions: 40 });
  await useBoth(await open({ url }), await open({ url }));
});

it('PgBouncer in statement mode is refused, whichever way it is given', async () => {
  const pooled = await behind({ mode: 'statement' });
  expect(await refusal({ url: pooled })).toMatch(/pooler/);
  expect(await refusal({ url: pooled, sessionUrl: DIRECT })).toMatch(/pool_mode = statement/);
});
