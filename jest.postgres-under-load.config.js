// The replicas under load that are killed and stopped: they need both processors, so one file runs after the other.
import base from './jest.postgres.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/postgres/under-load/**/*.test.ts'],
  maxWorkers: 1,
};
