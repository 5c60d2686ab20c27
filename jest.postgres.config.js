// What needs a PostgreSQL: a server for each worker, found or installed, and a schema of its own for each test. Most wait for leases to
// end, so two files at once take little more than one.
import base from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/postgres/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Modules, as they are: Jest compiles none that ends in .mjs, and so they may import others.
  globalSetup: '<rootDir>/test/postgres/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/postgres/support/global-teardown.mjs',
  maxWorkers: 2,
  testTimeout: 60_000,
};
