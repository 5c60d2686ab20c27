// Tests that start processes of the built package: the service, the command line, hosts, npm.
import base from './jest.config.js';

export default {
  ...base,
  testMatch: [
    '<rootDir>/test/process/**/*.test.ts',
    '<rootDir>/test/cli/**/*.test.ts',
    '<rootDir>/clients/typescript/test/process/**/*.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  globals: { startsProcesses: true },
  // A process takes seconds to start beside another one.
  testTimeout: 60_000,
};
