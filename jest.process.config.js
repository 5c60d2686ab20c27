// Tests that start processes of the built package (the service, the command line, hosts, npm), and threads that compute for seconds.
import base from './jest.config.js';

export default {
  ...base,
  testMatch: [
    '<rootDir>/test/process/**/*.test.ts',
    '<rootDir>/test/cli/**/*.test.ts',
    '<rootDir>/clients/typescript/test/process/**/*.test.ts',
    '<rootDir>/src/engine/definitions/thread/{computing-limit,document-comparer,job-thread,job-threads,off-loop}.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  globals: { startsProcesses: true },
  maxWorkers: '100%',
  // A process takes seconds to start beside another one.
  testTimeout: 60_000,
};
