import type { RunWatch } from '../../ports/run-watch.js';
import { contractsIn } from './contracts-in.js';
import type { RunWatchHarness, WatchUnderTest } from './run-watch/support/contract.js';

const contracts = await contractsIn<RunWatchHarness>(new URL('./run-watch/', import.meta.url));

/**
 * Registers the tests that every adapter of `RunWatch` must pass. Call it at the top level of a test file.
 * `dispose` runs after the watch was closed.
 */
export function runRunWatchContract(name: string, createWatch: () => Promise<WatchUnderTest>): void {
  describe(`${name}: the contract of RunWatch`, () => {
    let current: WatchUnderTest | null = null;
    const harness = {
      get watch(): RunWatch {
        if (current === null) throw new Error('The watch exists only while a test runs');
        return current.watch;
      },
    };

    beforeEach(async () => {
      current = await createWatch();
    });

    afterEach(async () => {
      await current?.watch.close();
      await current?.dispose();
      current = null;
    });

    for (const { name: method, register } of contracts) describe(method, () => register(harness));
  });
}
