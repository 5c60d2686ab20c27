import { sampleRunId } from '../../engine/testing/contract/run-store/support/sample-run.js';
import { StoreError } from '../../errors/service-errors.js';
import type { Query } from './database/database.js';
import type { Script } from './database/schema-database.js';
import { storeErrorOf } from './database/postgres-fault.js';
import { PostgresRunStore, type OpenableDatabase } from './postgres-run-store.js';

const fault = (code: string): StoreError =>
  storeErrorOf({ kind: 'statement', code, message: 'refused', endsConnection: false });

const gone = storeErrorOf({
  kind: 'network',
  code: 'ECONNRESET',
  message: 'ECONNRESET',
  endsConnection: true,
});
const otherServer = new StoreError('The URL of the database leads to another server than at the start');

/** A store on a database that answers nothing but with the fault, as long as there is one. */
async function openStore() {
  let failure: Error | null = null;
  let asked = 0;
  const query: Query = async () => {
    asked += 1;
    if (failure !== null) throw failure;
    return [];
  };
  const one = {
    base: 0,
    query,
    transaction: <T>(work: (within: Query, script: Script) => Promise<T>) =>
      work(query, async (sql) => void (await query(sql))),
    snapshot: <T>(work: (within: Query) => Promise<T>) => work(query),
  };
  const database: OpenableDatabase = {
    ...one,
    reserved: one,
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const store = new PostgresRunStore({ database });
  await store.open();
  return {
    store,
    failWith: (error: Error | null) => (failure = error),
    asked: () => asked,
    read: async () => store.readRow({ runId: sampleRunId(1) }).catch((error: unknown) => error),
    health: async () =>
      store.check({ deep: false }).then(
        () => 'serves',
        () => 'away',
      ),
  };
}

describe('the health of a store', () => {
  it('asks nothing as long as the database does what it is asked', async () => {
    const { read, health, asked } = await openStore();
    await read();
    expect(await health()).toBe('serves');
    expect(asked()).toBe(1);
  });

  it.each([
    ['cannot be reached', gone],
    ['has another password', fault('28P01')],
    ['was dropped', fault('3D000')],
    ['has lost a table', fault('42P01')],
    ['has taken a right away', fault('42501')],
    ['is another one', otherServer],
  ])('is none while the database %s, and comes back by itself', async (_what, error) => {
    const { read, health, failWith } = await openStore();
    failWith(error);
    await read();
    expect([await health(), await health()]).toEqual(['away', 'away']);
    failWith(null);
    expect(await health()).toBe('serves');
  });

  it('is not restored by work that never asked the database', async () => {
    const { store, read, health, failWith } = await openStore();
    failWith(gone);
    await read();
    expect(await store.readRow({ runId: 'no-uuid' })).toBeNull();
    expect(await store.listUnindexed()).toEqual([]);
    expect(await health()).toBe('away');
  });

  it.each(['57014', '55P03', '40P01', '22021'])(
    'is not lost by what one statement meets (%s)',
    async (code) => {
      const { read, health, failWith, asked } = await openStore();
      failWith(fault(code));
      await read();
      expect(await health()).toBe('serves');
      expect(asked()).toBe(1);
    },
  );
});
