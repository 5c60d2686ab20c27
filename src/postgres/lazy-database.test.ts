import type { PgDatabase } from '../storage/postgres/pg-database.js';
import { LazyDatabase } from './lazy-database.js';

function fake() {
  const closed: number[] = [];
  const database = (number: number) =>
    ({
      base: 7,
      lockSpace: -3,
      query: async (sql: string) => [{ sql, number }],
      close: async () => void closed.push(number),
    }) as unknown as PgDatabase;
  return { closed, database };
}

describe('a database that is opened later', () => {
  it('is opened once, however many ask, and is known from then on', async () => {
    const { database, closed } = fake();
    let opened = 0;
    const lazy = new LazyDatabase(async () => database((opened += 1)));
    expect(() => lazy.base).toThrow('not open');
    const rows = await Promise.all([lazy.query('a'), lazy.query('b'), lazy.open().then(() => null)]);
    expect(rows.slice(0, 2)).toEqual([[{ sql: 'a', number: 1 }], [{ sql: 'b', number: 1 }]]);
    await lazy.opened;
    expect([opened, lazy.base, lazy.lockSpace]).toEqual([1, 7, -3]);
    await lazy.close();
    await lazy.close();
    expect(new Set(closed)).toEqual(new Set([1]));
  });

  it('is tried anew after an attempt that failed, of which only who asked is told', async () => {
    const { database } = fake();
    let tries = 0;
    const lazy = new LazyDatabase(async () => {
      tries += 1;
      if (tries === 1) throw new Error('away');
      return database(tries);
    });
    await expect(lazy.open()).rejects.toThrow('away');
    await expect(lazy.query('a')).resolves.toEqual([{ sql: 'a', number: 2 }]);
    await lazy.opened;
  });

  it('is closed also where it is just being opened, whose tries end', async () => {
    const { database, closed } = fake();
    const signals: AbortSignal[] = [];
    const lazy = new LazyDatabase(
      (signal) =>
        new Promise((resolve) => {
          signals.push(signal);
          signal.addEventListener('abort', () => resolve(database(1)));
        }),
    );
    const opening = lazy.open();
    await lazy.close();
    await opening;
    expect([signals.length, closed]).toEqual([1, [1]]);
    await expect(lazy.open()).rejects.toThrow('closed');
    await expect(lazy.query('a')).rejects.toThrow('closed');
    expect(() => lazy.lockSpace).toThrow('closed');
  });
});
