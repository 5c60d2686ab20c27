import { availableParallelism } from 'node:os';

// Jest in ESM mode: the one set-up that runs Nest 12 (ESM-only) on every Node we support.
export default {
  // Node loads the modules, each once for all files of a worker (docs/decisions/0103).
  runtime: '<rootDir>/test/runner/runtime.ts',
  testEnvironment: '<rootDir>/test/runner/environment.ts',
  testRunner: '<rootDir>/test/runner/circus.ts',
  // Jest loads it as CommonJS: it may import packages and node:*, but no file of ours.
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testMatch: [
    '<rootDir>/src/**/*.test.ts',
    '<rootDir>/test/**/*.test.ts',
    '<rootDir>/clients/**/*.test.ts',
    '<rootDir>/console/src/**/*.test.ts',
  ],
  // These have commands of their own, each with a configuration next to this one: `npm run test:cost`, `test:process` and so on.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/(browser|cli|cost|crash|fuzz|hostile|image|postgres|process|upgrade)/',
    '<rootDir>/clients/typescript/test/process/',
    '<rootDir>/src/engine/definitions/thread/(computing-limit|document-comparer|job-threads?|off-loop)\\.test\\.ts$',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^flowgate-client$': '<rootDir>/clients/typescript/src/index.ts',
    '^flowgate/engine$': '<rootDir>/src/engine/index.ts',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/clients/typescript/dist', '<rootDir>/.tmp'],
  testSequencer: '<rootDir>/test/runner/sequencer.ts',
  // Half of their time tests wait: for disks, for threads, for clocks.
  maxWorkers: 2 * availableParallelism(),
  // A module that was loaded is never given back, and each test file is one: beyond this a worker begins anew.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 20_000,
};
