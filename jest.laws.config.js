// The laws that hold for random cases, with as many cases as they were proved with; `npm test` runs 200 of each.
import base from './jest.config.js';

process.env['FLOWGATE_LAWS'] = 'full';

export default {
  ...base,
  // They compute, and wait for nothing.
  maxWorkers: '100%',
  testMatch: [
    '<rootDir>/test/property/**/*.test.ts',
    '<rootDir>/test/e2e/access/two-tenants.test.ts',
    '<rootDir>/src/engine/core/{json-size,ids/shard}.test.ts',
    '<rootDir>/src/engine/core/state/{persistent-map,codec/state-codec}.test.ts',
    '<rootDir>/src/engine/language/{hostile-yaml,expression/attacks}.test.ts',
    '<rootDir>/src/engine/language/reader/positions/position-in-scalar.test.ts',
    '<rootDir>/test/language/schema-and-service.test.ts',
  ],
};
