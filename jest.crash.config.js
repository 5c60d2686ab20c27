// The crash tests: they kill processes and wait for their successors, so they run one after the other.
import base from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/crash/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  passWithNoTests: true,
};
