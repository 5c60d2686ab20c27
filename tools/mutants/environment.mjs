// The Jest environment of a mutation run: switches one mutant on, and tells the runner through file descriptor 3 which
// test file begins, which test failed (the runner then ends the process: one failure is a kill) and what was reached.
import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import { TestEnvironment } from 'jest-environment-node';

const RUNNER = 3;
/** The global that instrumented code reads. */
const SWITCHES = '__stryker__';
const tell = (message) => writeSync(RUNNER, `${JSON.stringify(message)}\n`);
const activeMutant = process.env['FLOWGATE_MUTANT'] || undefined;

export default class MutantEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.file = relative(config.projectConfig.rootDir, context.testPath).replaceAll('\\', '/');
  }

  async setup() {
    await super.setup();
    this.began = performance.now();
    // A limit is named because hits are counted only beside one.
    this.switches = { activeMutant, hitCount: 0, hitLimit: Number.POSITIVE_INFINITY };
    Object.assign(this.global, { [SWITCHES]: this.switches });
    tell({ begin: this.file });
  }

  async handleTestEvent(event) {
    if (event.name === 'test_start') this.switches.currentTestId = 'a test';
    if (event.name !== 'test_done') return;
    this.switches.currentTestId = undefined;
    const error = event.test.errors.flat().find((each) => each !== undefined && each !== null);
    if (error !== undefined) tell({ failed: this.file, test: event.test.name, message: firstLine(error) });
  }

  async teardown() {
    const { mutantCoverage, hitCount } = this.switches;
    const { static: loaded = {}, perTest = {} } = mutantCoverage ?? {};
    const reached = Object.keys(perTest['a test'] ?? {});
    const ms = Math.round(performance.now() - this.began);
    tell({ end: this.file, ms, hitCount, ...(activeMutant ? {} : { loaded: Object.keys(loaded), reached }) });
    await super.teardown();
  }
}

function firstLine(error) {
  return String(error.message ?? error).split('\n', 1)[0];
}
