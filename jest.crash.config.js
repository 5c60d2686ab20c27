// The crash tests: they kill processes and wait for their successors, each on a folder of its own, so two run at once.
import base from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/crash/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 2,
  passWithNoTests: true,
};
