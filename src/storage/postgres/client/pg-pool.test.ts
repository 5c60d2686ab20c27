import { StoreError } from '../../../errors/service-errors.js';
import { DatabaseUnreachedError } from '../database/postgres-fault.js';
import { IS_STANDBY } from '../database/server-identity.js';
import type { Pg } from './pg-client.js';
import { PgPool } from './pg-pool.js';
import { StatementTexts } from './statement-texts.js';

type Perform = (text: string, values: unknown) => readonly unknown[];

/** In place of `pg`: connections to a primary that answer by `perform`, and what became of them. */
function fakePg(perform: Perform) {
  const performed: string[] = [];
  const released: unknown[] = [];
  const client = {
    on: () => client,
    query: async (statement: string | { readonly text: string; readonly values?: unknown }) => {
      const { text, values } = typeof statement === 'string' ? { text: statement, values: [] } : statement;
      if (text !== IS_STANDBY) performed.push(text);
      return { command: text, rows: perform(text, values) };
    },
    release: (isBroken: unknown) => released.push(isBroken),
  };
  class Pool {
    constructor(private readonly options: { readonly onConnect: (client: unknown) => Promise<void> }) {}
    on(): void {
      // Nothing happens to a connection that is at rest.
    }
    async connect(): Promise<unknown> {
      await this.options.onConnect(client);
      return client;
    }
    async end(): Promise<void> {
      performed.push('end');
    }
  }
  class TypeOverrides {
    setTypeParser(): void {
      // Nothing is parsed.
    }
  }
  return { performed, released, pg: { Pool, TypeOverrides } as unknown as Pg };
}

function poolOn(perform: Perform = () => [], settings: string | null = null) {
  const { pg, ...seen } = fakePg(perform);
  const texts = new StatementTexts('"flowgate"', settings !== null);
  const connection = { connectionString: 'postgresql://localhost/work' };
  return { ...seen, pool: new PgPool(pg, { connection, texts, maxConnections: 7, settings }) };
}

const failing = (error: Error): Perform => {
  return (text) => {
    if (text === 'SELECT 1') throw error;
    return [];
  };
};

const refused = (): Error => Object.assign(new Error('duplicate'), { code: '23505', severity: 'ERROR' });
const lost = (): Error => Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });

describe('the connections of the pool', () => {
  it('are taken for one statement, and given back', async () => {
    const { pool, performed, released } = poolOn((_text, values) => [{ values }]);
    expect(await pool.query('SELECT $1 FROM @.runs', [1])).toEqual([{ values: [1] }]);
    expect([performed, released]).toEqual([['SELECT $1 FROM "flowgate".runs'], [false]]);
  });

  it('are kept after a statement that was refused, and not after a fault of their own', async () => {
    for (const [error, isBroken] of [[refused(), false] as const, [lost(), true] as const]) {
      const { pool, released } = poolOn(failing(error));
      await expect(pool.query('SELECT 1')).rejects.toBeInstanceOf(StoreError);
      await expect(pool.transaction((query) => query('SELECT 1'))).rejects.toBeInstanceOf(StoreError);
      expect(released).toEqual([isBroken, isBroken]);
    }
  });

  it('have transactions at READ COMMITTED, and snapshots that only read', async () => {
    const { pool, performed } = poolOn(() => [], 'SETTINGS');
    await pool.transaction((query) => query('SELECT 1'));
    await pool.snapshot((query) => query('SELECT 2'));
    expect(performed).toEqual([
      'SETTINGS',
      'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE',
      'SELECT 1',
      'COMMIT',
      'SETTINGS',
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
      'SELECT 2',
      'COMMIT',
    ]);
  });

  it('have settings for each transaction where a pooler would give others to other programs', async () => {
    const { pool, performed } = poolOn();
    await pool.transaction(() => Promise.resolve());
    expect(performed[0]).toMatch(
      /^BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL search_path = '';/,
    );
  });

  it('pass on what the work of a transaction throws, after a rollback', async () => {
    const { pool, performed, released } = poolOn();
    const thrown = new Error('mine');
    await expect(pool.transaction(() => Promise.reject(thrown))).rejects.toBe(thrown);
    expect([performed.at(-1), released]).toEqual(['ROLLBACK', [false]]);
  });

  it('lead to the server that the store was opened on, or to none', async () => {
    let identifier = 'one';
    const { pool } = poolOn(() => [{ identifier }], 'SETTINGS');
    pool.expectServer('one');
    await pool.query('SELECT 1');
    identifier = 'another';
    await expect(pool.query('SELECT 1')).rejects.toThrow(
      'leads to another server than at the start: restart',
    );
  });

  it('lead to a primary, or to none for now', async () => {
    let isStandby = true;
    const { pool, performed } = poolOn((text) => (text === IS_STANDBY ? [{ is_standby: isStandby }] : []));
    await expect(pool.query('SELECT 1')).rejects.toBeInstanceOf(DatabaseUnreachedError);
    expect(performed).toEqual([]);
    isStandby = false;
    await pool.query('SELECT 1');
    expect(performed).toEqual(['SELECT 1']);
  });

  it('are closed once', async () => {
    const { pool, performed } = poolOn();
    await Promise.all([pool.close(), pool.close()]);
    expect(performed).toEqual(['end']);
  });
});
