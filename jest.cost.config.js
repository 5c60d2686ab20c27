// What time, memory or room something takes: each has the machine to itself, or it would measure the others.
import base from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/cost/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globals: { startsProcesses: true },
  maxWorkers: 1,
};
