import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { startPostgres, type PostgresServer } from '../../tools/postgres/server.mjs';
import { createEngine } from '../../src/engine/index.js';
import { StoreError } from '../../src/errors/service-errors.js';
import { postgres, type PostgresOptions } from '../../src/postgres.js';
import { inSequence } from '../support/engine.js';
import { newSchema } from './support/database.js';
import { startPooler, type Pooler } from './support/pooler.js';
import { startProxy } from './support/proxy.js';
import { onConnection, sharedServer, sharedUrl } from './support/server.js';

const PASSWORD = 'hunter2-hunter2';
const ROLE = `pooled_${process.pid}`;
const [KEY, ANOTHER_KEY] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

let schema: string;
beforeEach(() => {
  schema = newSchema();
});
afterEach(() => onConnection(({ query }) => query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)));

/** What `open` says against it; null: nothing. */
async function refusalOf(options: Partial<PostgresOptions> = {}): Promise<string | null> {
  const { store } = postgres({ url: sharedUrl({ password: PASSWORD }), schema, ...options });
  try {
    await store.open();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    const { message } = error as StoreError;
    // One line, which says what to do, without the password, or the address that it stands in.
    expect(message).not.toContain('\n');
    expect(message).not.toContain(PASSWORD);
    expect(message).not.toMatch(/postgres(ql)?:\/\/[^:]*:[^@]*@127/);
    return message;
  } finally {
    await store.close();
  }
}

/** Has the setting for the whole server, while the work is done. */
async function withSetting<T>(name: string, value: string, work: () => Promise<T>): Promise<T> {
  const set = async (statement: string): Promise<void> => {
    await onConnection(async ({ query }) => {
      await query(statement);
      await query('SELECT pg_reload_conf()');
    });
    // The server reads its settings a moment later.
    await new Promise((resolve) => setTimeout(resolve, 200));
  };
  await set(`ALTER SYSTEM SET ${name} = ${value}`);
  try {
    return await work();
  } finally {
    await set(`ALTER SYSTEM RESET ${name}`);
  }
}

describe('a database', () => {
  it('that can keep runs is opened, again and again', async () => {
    expect(await refusalOf()).toBeNull();
    expect(await refusalOf()).toBeNull();
  });

  it.each(['fsync', 'synchronous_commit'])('whose server has %s off is refused', async (name) => {
    await withSetting(name, 'off', async () => {
      expect(await refusalOf()).toMatch(new RegExp(`^${name} is off.*FLOWGATE_DATABASE_DURABLE=elsewhere`));
      expect(await refusalOf({ durability: 'elsewhere' })).toBeNull();
    });
    expect(await refusalOf()).toBeNull();
  });

  it('of another encoding than UTF8 is refused', async () => {
    const database = `latin_${process.pid}`;
    await onConnection(({ query }) =>
      query(`CREATE DATABASE ${database} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`),
    );
    try {
      const url = sharedUrl({ database, password: PASSWORD });
      expect(await refusalOf({ url })).toMatch(/^The encoding of the database is LATIN1:.*UTF8/);
    } finally {
      await onConnection(({ query }) => query(`DROP DATABASE ${database} WITH (FORCE)`));
    }
  });

  it('that another key has encrypted is refused, also without a key', async () => {
    expect(await refusalOf({ encryptionKey: KEY })).toBeNull();
    expect(await refusalOf({ encryptionKey: ANOTHER_KEY })).toMatch(/another key.*FLOWGATE_ENCRYPTION_KEY/);
    expect(await refusalOf({ encryptionKey: null })).toMatch(/no key.*FLOWGATE_ENCRYPTION_KEY/);
    expect(await refusalOf({ encryptionKey: KEY })).toBeNull();
    // The key itself is stored nowhere.
    const rows = await onConnection(({ query }) =>
      query(`SELECT t::text AS text FROM "${schema}".store AS t`),
    );
    const stored = JSON.stringify(rows);
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(stored).not.toContain(Buffer.from(KEY).toString(encoding));
  });

  it('with a schema that another program uses is refused', async () => {
    await onConnection(async ({ query }) => {
      await query(`CREATE SCHEMA "${schema}"`);
      await query(`CREATE TABLE "${schema}".runs (name text)`);
    });
    expect(await refusalOf()).toMatch(/schema/);
    const left = await onConnection(({ query }) =>
      query('SELECT count(*) AS count FROM pg_tables WHERE schemaname = $1', [schema]),
    );
    expect(left).toEqual([{ count: 1 }]);
  });

  it('that does not exist, or lets nobody in, is refused in a sentence', async () => {
    expect(await refusalOf({ url: sharedUrl({ user: 'nobody-here', password: PASSWORD }) })).toMatch(
      /refuses the login/,
    );
    expect(await refusalOf({ url: sharedUrl({ database: 'not-there', password: PASSWORD }) })).toMatch(
      /no database of that name/,
    );
  });

  it('is refused by what is no URL of one', async () => {
    expect(await refusalOf({ url: `mysql://root:${PASSWORD}@127.0.0.1/x` })).toMatch(
      /must be postgresql:\/\//,
    );
  });
});

describe('a standby', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  beforeAll(async () => {
    primary = await startPostgres();
    standby = await primary.standby();
  }, 120_000);
  afterAll(async () => {
    await standby?.stop();
    await primary?.stop();
  });

  it('that the address leads to later is not read, and all goes on once it leads to the primary', async () => {
    const proxy = await startProxy(primary.port);
    const { store } = postgres({ url: proxy.through(primary.url()), schema });
    const read = (): Promise<unknown> => store.readCursor({ name: 'nobody' });
    try {
      await store.open();
      expect(await read()).toBe(0);
      proxy.leadTo(standby.port);
      proxy.cut();
      // What is idle may not have noticed yet.
      await read().catch(() => undefined);
      await expect(read()).rejects.toThrow(/leads to a standby/);
      await expect(store.check({ deep: false })).rejects.toThrow(/leads to a standby/);
      proxy.leadTo(primary.port);
      expect(await read()).toBe(0);
      await store.check({ deep: true });
    } finally {
      await store.close();
      await proxy.close();
    }
  });

  it('is refused as long as it is one', async () => {
    expect(await refusalOf({ url: standby.url({ password: PASSWORD }) })).toMatch(
      /^The database is a standby.*the URL of the primary/,
    );
    expect(await refusalOf({ url: primary.url({ password: PASSWORD }) })).toBeNull();
    await standby.promote();
    expect(await refusalOf({ url: standby.url({ password: PASSWORD }) })).toBeNull();
  });
});

describe('a pooler that gives each transaction another session', () => {
  let pooler: Pooler;
  beforeAll(async () => {
    await onConnection(({ query }) => query(`CREATE ROLE ${ROLE} LOGIN`));
    // What a refusal says is what has to be done.
    const refusal = await refusalOf({
      url: sharedUrl({ user: ROLE }),
      sessionUrl: sharedUrl({ user: ROLE }),
    });
    const settings = refusal?.match(/ALTER ROLE … SET \w+ = '\w+'/g) ?? [];
    expect(settings).toHaveLength(3);
    for (const setting of settings) await onConnection(({ query }) => query(setting.replace('…', ROLE)));
  });
  afterAll(() => onConnection(({ query }) => query(`DROP ROLE ${ROLE}`)));
  beforeEach(async () => {
    pooler = await startPooler(sharedServer().port);
    await onConnection(({ query }) => query(`CREATE SCHEMA "${schema}" AUTHORIZATION ${ROLE}`));
  });
  afterEach(() => pooler.close());

  it('is refused as the way of the session that has the locks', async () => {
    const pooled = pooler.through(sharedUrl());
    expect(await refusalOf({ url: pooled })).toMatch(/pooler/);
    expect(await refusalOf({ url: sharedUrl(), sessionUrl: pooled })).toMatch(/pooler/);
  });

  it('may be the way of all others: runs are kept, and nothing is left to be known from one statement to the next', async () => {
    const [url, sessionUrl] = [pooler.through(sharedUrl({ user: ROLE })), sharedUrl({ user: ROLE })];
    const parts = postgres({ url, sessionUrl, schema });
    const engine = createEngine({ ...parts, shutdownGraceMs: 1_000, sameInstantMs: 0 });
    engine.registerUnit('work', ({ context }) => context.unitId);
    await engine.open();
    try {
      const units = ['a', 'b', 'c'].map((id) => ({ id, uses: 'work' }));
      await engine.workflows.register({ yaml: inSequence('w', units) });
      // Statements that are used often would be given names, which the other session does not know.
      const starts = Array.from({ length: 50 }, () => engine.runs.start({ workflowId: 'w', sync: true }));
      const records = await Promise.all(starts);
      expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['completed']));
      expect((await engine.runs.list({ limit: 100 })).items).toHaveLength(50);
    } finally {
      await engine.close();
    }
  });

  it('is refused where it leads to another database than the session', async () => {
    const database = `other_${process.pid}`;
    await onConnection(({ query }) => query(`CREATE DATABASE ${database}`));
    try {
      const urls = { url: sharedUrl({ user: ROLE }), sessionUrl: sharedUrl({ user: ROLE, database }) };
      expect(await refusalOf(urls)).toMatch(/another database/);
    } finally {
      await onConnection(({ query }) => query(`DROP DATABASE ${database} WITH (FORCE)`));
    }
  });
});

it('a server that is not there yet is waited for', async () => {
  // Somebody who takes the connection and ends it, as a proxy does whose server is starting.
  const listener = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { readonly port: number };
  const { store } = postgres({ url: `postgresql://postgres@127.0.0.1:${port}/postgres`, schema });
  const opening = store.open();
  const early = await Promise.race([
    opening.then(
      () => 'open',
      (error: unknown) => String(error),
    ),
    new Promise((resolve) => setTimeout(resolve, 1_500, 'it waits')),
  ]);
  expect(early).toBe('it waits');
  listener.close();
  await once(listener, 'close');
  // The server comes, behind the same address.
  const server = await startPostgres();
  const forward = await forwardTo(port, server.port);
  try {
    await expect(opening).resolves.toMatchObject({ opening: expect.any(String) });
  } finally {
    await store.close();
    forward.close();
    await server.stop();
  }
}, 60_000);

/** Whoever connects to the one port is led to the other. */
async function forwardTo(port: number, target: number) {
  const listener = createServer((client) => {
    const server = connect(target, '127.0.0.1');
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => client.destroy());
    client.on('close', () => server.destroy());
  }).listen(port, '127.0.0.1');
  await once(listener, 'listening');
  return listener;
}
