import { runRunStoreContract } from '../../src/engine/testing/contract/run-store.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

runRunStoreContract('sqlite', async () => {
  const folder = await temporaryFolder();
  return {
    store: new SqliteRunStore({ folder: folder.path, workers: builtWorkers }),
    dispose: folder.remove,
  };
});
