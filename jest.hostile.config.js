// The attacks: each has a built service and the machine to itself, so they run one after the other.
import base from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/hostile/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  setupFilesAfterEnv: ['<rootDir>/test/hostile/support/try-again.ts'],
  maxWorkers: 1,
  // An attack lasts as long as it is watched, in two lives of the service.
  testTimeout: 60_000,
};
