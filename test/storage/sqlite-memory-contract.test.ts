import { runMemoryIndexContract } from '../../src/engine/testing/contract/memory-index.js';
import { SqliteMemoryIndex } from '../../src/storage/sqlite/sqlite-memory-index.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

runMemoryIndexContract('sqlite', async () => {
  const folder = await temporaryFolder();
  return {
    memory: new SqliteMemoryIndex({ folder: folder.path, workers: builtWorkers }),
    dispose: folder.remove,
  };
});
