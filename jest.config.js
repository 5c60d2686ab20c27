// Jest in ESM mode: the one set-up that runs Nest 12 (ESM-only) on every Node we support.
export default {
  testEnvironment: 'node',
  // Jest loads it as CommonJS: it may import packages and node:*, but no file of ours.
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/test/**/*.test.ts', '<rootDir>/clients/**/*.test.ts'],
  // These have configurations of their own: `npm run test:browser`, `test:crash`, `test:fuzz`, `test:hostile`, `test:image`,
  // `test:upgrade`.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/crash/',
    '<rootDir>/test/fuzz/',
    '<rootDir>/test/hostile/',
    '<rootDir>/test/image/',
    '<rootDir>/test/upgrade/',
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
  // Most tests wait for I/O; the default (one less than the cores) would leave half of a two-core machine idle.
  maxWorkers: '100%',
  testTimeout: 20_000,
};
