import { accessOf } from '../../src/engine/ports/access/access-of.js';
import { auditOf } from '../../src/engine/ports/audit/audit-of.js';
import { put, sampleKey } from '../../src/engine/testing/contract/access-store/support/sample-key.js';
import { sampleAct } from '../../src/engine/testing/contract/audit-store/support/sample-act.js';
import { sampleDefinition } from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { soleWriterOf } from '../../src/storage/postgres/database/sole-writer.js';
import { until } from '../support/eventually.js';
import { onConnection } from './support/server.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';

const WRITERS = {
  audit: ({ store }, name) => auditOf(store).record({ acts: [sampleAct({ target: name })] }),
  registrations: ({ store }, workflowId) =>
    store.register({ definition: sampleDefinition({ workflowId }), opening: 'o' }),
  access_keys: ({ store }, id) => put(accessOf(store), sampleKey(id)),
} satisfies Record<string, (started: StartedDatabase, name: string) => Promise<unknown>>;
const tables = Object.keys(WRITERS) as readonly (keyof typeof WRITERS)[];

let started: StartedDatabase;
beforeEach(async () => {
  started = await startedDatabase();
  await started.store.open();
});
afterEach(() => started.dispose());

/** While a transaction of somebody else has locked the table. */
async function whileLocked(table: string, mode: string, work: () => Promise<void>): Promise<void> {
  await onConnection(async ({ query }) => {
    await query('BEGIN');
    await query(`LOCK TABLE "${started.schema}".${table} IN ${mode} MODE`);
    await work();
    await query('COMMIT');
  });
}

/** Whether a lock of the table is waited for. */
async function isWaitedFor(table: string): Promise<boolean> {
  const rows = await started.sql('SELECT FROM pg_locks WHERE relation = $1::regclass AND NOT granted', [
    `${started.schema}.${table}`,
  ]);
  return rows.length > 0;
}

test.each(tables)('a write to %s does not wait for VACUUM, which may take hours', async (table) => {
  await whileLocked(table, 'SHARE UPDATE EXCLUSIVE', async () => {
    await WRITERS[table](started, 'written');
  });
});

test.each(tables)('a write to %s waits for a replica of a release that locks the table', async (table) => {
  // Often enough for the statement to have a plan that is used again.
  for (let round = 0; round < 8; round += 1) {
    const order: string[] = [];
    let written: Promise<unknown> | undefined;
    await whileLocked(table, 'SHARE ROW EXCLUSIVE', async () => {
      written = WRITERS[table](started, `written-${round}`).then(
        () => order.push('written'),
        () => order.push('refused'),
      );
      await until(() => isWaitedFor(table), 'it waits for the table');
      order.push('unlocked');
    });
    await written;
    expect(order[0]).toBe('unlocked');
  }
});

test.each(tables)('a replica of a release that locks %s waits for a write', async (table) => {
  // Often enough for the statement to have a plan that is used again.
  for (let round = 0; round < 8; round += 1) {
    const order: string[] = [];
    let locked: Promise<unknown> | undefined;
    await started.database.transaction(async (query) => {
      await query(soleWriterOf(table));
      locked = whileLocked(table, 'SHARE ROW EXCLUSIVE', async () => void order.push('locked'));
      await until(() => isWaitedFor(table), 'it waits for the table');
      order.push('written');
    });
    await locked;
    expect(order).toEqual(['written', 'locked']);
  }
});

test.each(tables)('of two writes to %s one waits for the other', async (table) => {
  const order: string[] = [];
  let written: Promise<unknown> | undefined;
  await started.database.transaction(async (query) => {
    await query(soleWriterOf(table));
    written = WRITERS[table](started, 'written').then(() => order.push('second'));
    const waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    await until(async () => (await started.sql(waiting)).length > 0, 'the other one waits');
    order.push('first');
  });
  await written;
  expect(order).toEqual(['first', 'second']);
});
