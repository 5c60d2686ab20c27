// The upgrade tests: every run in a copy of its data folder, with the store's threads, so one file after the other.
import base from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/upgrade/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
