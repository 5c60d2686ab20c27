import { readdirSync } from 'node:fs';
import type { RunWatch } from '../../ports/run-watch.js';
import type { RunWatchContract, WatchUnderTest } from './run-watch/support/contract.js';

/** Each file of the folder checks one method; a file that is added is run without a list to keep. */
const contracts = await Promise.all(
  readdirSync(new URL('./run-watch/', import.meta.url))
    .filter((file) => /^[a-z-]+\.[tj]s$/.test(file))
    .map(async (file) => {
      const module: { readonly default: RunWatchContract } = await import(`./run-watch/${file}`);
      return { method: file.replace(/\.[tj]s$/, ''), contract: module.default };
    }),
);

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

    for (const { method, contract } of contracts) describe(method, () => contract(harness));
  });
}
