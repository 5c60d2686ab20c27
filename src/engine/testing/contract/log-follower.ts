import { readdirSync } from 'node:fs';
import type { LogFollowerContract, LogStore, LogStoreUnderTest } from './log-follower/support/contract.js';

/** Each file of the folder checks one behaviour; a file that is added is run without a list to keep. */
const contracts = await Promise.all(
  readdirSync(new URL('./log-follower/', import.meta.url))
    .filter((file) => /^[a-z-]+\.[tj]s$/.test(file))
    .map(async (file) => {
      const module: { readonly default: LogFollowerContract } = await import(`./log-follower/${file}`);
      return { behaviour: file.replace(/\.[tj]s$/, ''), contract: module.default };
    }),
);

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

    for (const { behaviour, contract } of contracts) describe(behaviour, () => contract(harness));
  });
}
