import { runMemoryIndexContract } from '../../src/engine/testing/contract/memory-index.js';
import { databasesOfOneSchema } from './support/database.js';

const startedDatabase = databasesOfOneSchema();

runMemoryIndexContract('postgres', async () => {
  const started = await startedDatabase();
  const { memory, store } = started.replica();
  await memory.open();
  return {
    memory,
    async dispose() {
      // An engine closes its store last, and with it the connections.
      await store.close();
      await started.dispose();
    },
  };
});
