// What needs a PostgreSQL: one server for all files, found or installed, and a schema of its own for each test. Some tests kill
// processes and wait for their successors, so the files run one after the other.
import base from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/postgres/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Modules, as they are: Jest compiles none that ends in .mjs, and so they may import others.
  globalSetup: '<rootDir>/test/postgres/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/postgres/support/global-teardown.mjs',
  maxWorkers: 1,
  testTimeout: 60_000,
};
