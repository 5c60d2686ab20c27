// The image: its steps are executed, which installs all packages once more. `npm run test:image`.
import base from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/image/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
