// The fuzz run: one service, one case after the other.
import base from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/fuzz/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
