import { runRunStoreContract } from '../../src/engine/testing/contract/run-store.js';
import { databasesOfOneSchema } from './support/database.js';

const startedDatabase = databasesOfOneSchema();

runRunStoreContract('postgres', async () => {
  const { store, dispose } = await startedDatabase();
  return { store, dispose };
});
