// The browser tests: `npm run test:browser` finds or installs Chromium first.
import base from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 2,
  // A browser takes seconds to start on a busy machine.
  testTimeout: 60_000,
};
