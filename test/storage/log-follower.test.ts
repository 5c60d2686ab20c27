import { runLogFollowerContract } from '../../src/engine/testing/contract/log-follower.js';
import { InMemoryRunStore } from '../../src/storage/in-memory/in-memory-run-store.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

runLogFollowerContract('in-memory', async () => {
  const store = new InMemoryRunStore();
  return { store, dispose: () => store.close() };
});

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
