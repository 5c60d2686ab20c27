import { runAuditStoreContract } from '../../src/engine/testing/contract/audit-store.js';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

runAuditStoreContract('in-memory', async () => {
  const store = new InMemoryRunStore();
  return { store, other: store, dispose: async () => {} };
});

runAuditStoreContract('sqlite', async () => {
  const folder = await temporaryFolder();
  const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
  return { store, other: store, dispose: folder.remove };
});
