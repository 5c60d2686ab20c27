import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** What a test file sets with `jest.retryTimes` and `jest.setTimeout`, Jest keeps under these names in the global scope. */
const SET_BY_A_FILE = [
  'RETRY_TIMES',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'LOG_ERRORS_BEFORE_RETRY',
  'TEST_TIMEOUT_SYMBOL',
];

/**
 * Has the tests of all files run in the global scope of their process, because the modules of Node are shared there (see
 * `runtime.ts`). What a file does to the console, the environment variables and Jest's own settings is undone after it.
 */
export default class SharedScope implements JestEnvironment<number> {
  readonly global = globalThis as unknown as JestEnvironment['global'];
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly moduleMocker = new ModuleMocker(globalThis);
  private readonly before = { console, exit: process.exit, variables: { ...process.env } };

  constructor({ projectConfig }: JestEnvironmentConfig, _context: EnvironmentContext) {
    Object.assign(globalThis, projectConfig.globals);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    globalThis.console = this.before.console;
    process.exit = this.before.exit;
    for (const name of Object.keys(process.env))
      if (!(name in this.before.variables)) delete process.env[name];
    Object.assign(process.env, this.before.variables);
    for (const name of SET_BY_A_FILE) Reflect.deleteProperty(globalThis, Symbol.for(name));
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  /** Null: there is no context but that of the process. `runtime.ts` tells by it which of its files Node loads. */
  getVmContext(): null {
    return null;
  }
}
