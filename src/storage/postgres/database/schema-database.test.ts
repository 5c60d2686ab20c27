import { setImmediate } from 'node:timers/promises';
import { storeErrorOf } from './postgres-fault.js';
import { changeSchema, SchemaBusyError, type SchemaDatabase } from './schema-database.js';

/** Somebody holds a lock that the change needs, for so many tries. */
function busyFor(tries: number) {
  let made = 0;
  const locked = storeErrorOf({ kind: 'statement', code: '55P03', message: 'locked', endsConnection: false });
  const database: SchemaDatabase = {
    query: () => Promise.reject(new Error('It changes in a transaction')),
    async transaction(work) {
      made += 1;
      if (made <= tries) throw locked;
      return work(
        async () => [{ is_free: true }],
        async () => undefined,
      );
    },
  };
  return { database, tries: () => made };
}

describe('a change of the schema', () => {
  it('is tried again while others hold locks', async () => {
    const { database, tries } = busyFor(2);
    const patience = { patienceMs: 60_000, signal: null };
    await expect(changeSchema(database, patience, async () => 'changed')).resolves.toBe('changed');
    expect(tries()).toBe(3);
  });

  it('is given up when there is no patience left, with what to do', async () => {
    const { database, tries } = busyFor(Infinity);
    const changing = changeSchema(database, { patienceMs: 0, signal: null }, async () => 'changed');
    await expect(changing).rejects.toThrow(/long query, a dump or another replica.*try again/);
    expect(tries()).toBe(1);
  });

  it('is given up at once when the service stops meanwhile', async () => {
    const { database, tries } = busyFor(Infinity);
    const stopping = new AbortController();
    const patience = { patienceMs: 3_600_000, signal: stopping.signal };
    const changing = changeSchema(database, patience, async () => 'changed');
    await setImmediate();
    stopping.abort();
    await expect(changing).rejects.toThrow(SchemaBusyError);
    expect(tries()).toBe(2);
  });
});
