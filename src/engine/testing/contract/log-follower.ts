import { contractsIn } from './contracts-in.js';
import type { LogFollowerHarness, LogStore, LogStoreUnderTest } from './log-follower/support/contract.js';

const contracts = await contractsIn<LogFollowerHarness>(new URL('./log-follower/', import.meta.url));

/**
 * Registers the tests of following a log, to be run with every store: what a follower may rely on there. Call it at
 * the top level of a test file. `createStore` makes an empty, open store; `dispose` closes it.
 */
export function runLogFollowerContract(name: string, createStore: () => Promise<LogStoreUnderTest>): void {
  describe(`${name}: following its log`, () => {
    let current: LogStoreUnderTest | null = null;
    const harness = {
      get store(): LogStore {
        if (current === null) throw new Error('The store exists only while a test runs');
        return current.store;
      },
    };

    beforeEach(async () => {
      current = await createStore();
    });

    afterEach(async () => {
      await current?.dispose();
      current = null;
    });

    for (const { name: behaviour, register } of contracts) describe(behaviour, () => register(harness));
  });
}
