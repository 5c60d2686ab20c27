import { runMemoryIndexContract } from '../../src/engine/testing/contract/memory-index.js';
import { runRunStoreContract } from '../../src/engine/testing/contract/run-store.js';
import { SqliteMemoryIndex } from '../../src/storage/sqlite/sqlite-memory-index.js';
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

runMemoryIndexContract('sqlite', async () => {
  const folder = await temporaryFolder();
  return {
    memory: new SqliteMemoryIndex({ folder: folder.path, workers: builtWorkers }),
    dispose: folder.remove,
  };
});
