import { runAccessStoreContract } from '../../src/engine/testing/contract/access-store.js';
import { databasesOfOneSchema } from './support/database.js';

const startedDatabase = databasesOfOneSchema();

runAccessStoreContract('postgres', async () => {
  const { store, replica, dispose } = await startedDatabase();
  return { store, other: replica().store, dispose };
});
