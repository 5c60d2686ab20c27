import { runRunWatchContract } from '../../src/engine/testing/contract/run-watch.js';
import { databasesOfOneSchema } from './support/database.js';

const startedDatabase = databasesOfOneSchema();

runRunWatchContract('postgres', async () => {
  const started = await startedDatabase();
  const { watch, store } = started.replica();
  await store.open();
  return {
    watch,
    async dispose() {
      await store.close();
      await started.dispose();
    },
  };
});
