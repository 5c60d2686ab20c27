import { runLogFollowerContract } from '../../src/engine/testing/contract/log-follower.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

runLogFollowerContract('sqlite', async () => {
  const folder = await temporaryFolder();
  const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
  await store.open();
  return {
    store,
    dispose: async () => {
      await store.close();
      await folder.remove();
    },
  };
});
