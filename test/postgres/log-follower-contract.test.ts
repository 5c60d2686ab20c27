import { runLogFollowerContract } from '../../src/engine/testing/contract/log-follower.js';
import { databasesOfOneSchema } from './support/database.js';

const startedDatabase = databasesOfOneSchema();

runLogFollowerContract('postgres', async () => {
  const { store, dispose } = await startedDatabase();
  await store.open();
  return { store, dispose };
});
