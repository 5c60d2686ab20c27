import { accessOf } from '../../src/engine/ports/access/access-of.js';
import { auditOf } from '../../src/engine/ports/audit/audit-of.js';
import { listed, sampleAct } from '../../src/engine/testing/contract/audit-store/support/sample-act.js';
import { idsIn, put, sampleKey } from '../../src/engine/testing/contract/access-store/support/sample-key.js';
import { sampleAppend, sampleRunId } from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { startedDatabase } from './support/database.js';

const RUN = sampleRunId(1);

it('a schema of the version before keys and the audit has none, keeps its runs, and takes some while an older replica serves on', async () => {
  const database = await startedDatabase();
  try {
    // As release 0.1.0 has left it.
    await database.sql(`DROP TABLE @.access_keys, @.owner_revocations, @.access_changes, @.audit, @.people`);
    await database.sql(`ALTER TABLE @.memory_entries DROP COLUMN workflow_id`);
    await database.sql(`UPDATE @.store SET schema_version = 4`);
    const { store: older } = database;
    await older.open();
    await older.append(sampleAppend(RUN));
    const { store: newer } = database.replica();
    await newer.open();
    const access = accessOf(newer);
    await expect(newer.readRow({ runId: RUN })).resolves.toMatchObject({ lastSeq: 2 });
    await expect(idsIn(access)).resolves.toEqual([]);
    await expect(access.accessCounter()).resolves.toBe(0);
    await put(access, sampleKey('a'));
    await expect(idsIn(access)).resolves.toEqual(['a']);
    await expect(older.append(sampleAppend(RUN, { expectedSeq: 2 }))).resolves.toBe('appended');
    const audit = auditOf(newer);
    await expect(audit.lastId()).resolves.toBe(0);
    await audit.record({ acts: [sampleAct({ target: 'a' })] });
    await expect(listed(audit)).resolves.toMatchObject([{ target: 'a' }]);
    await newer.close();
    const [store] = await database.sql('SELECT schema_version, oldest_release FROM @.store');
    expect(store).toMatchObject({ schema_version: 8, oldest_release: '0.1.0' });
  } finally {
    await database.dispose();
  }
});
