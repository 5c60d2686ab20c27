import { runAuditStoreContract } from '../../src/engine/testing/contract/audit-store.js';
import { databasesOfOneSchema } from './support/database.js';

const startedDatabase = databasesOfOneSchema();

runAuditStoreContract('postgres', async () => {
  const { store, replica, dispose } = await startedDatabase();
  return { store, other: replica().store, dispose };
});
