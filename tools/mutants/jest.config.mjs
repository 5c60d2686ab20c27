// The ordinary configuration inside a sandbox of `npm run test:mutants`; see run.mjs.
import base from '../../jest.config.js';

export default {
  ...base,
  rootDir: '../..',
  testEnvironment: '<rootDir>/tools/mutants/environment.mjs',
  testSequencer: '<rootDir>/tools/mutants/sequencer.mjs',
  // Instrumented files never change while a run lasts: each is compiled once.
  cacheDirectory: process.env['FLOWGATE_MUTANT_CACHE'],
  reporters: ['default'],
  verbose: false,
};
