import { readdirSync } from 'node:fs';
import type { MemoryIndex } from '../../ports/memory-index.js';
import type { MemoryIndexContract, MemoryUnderTest } from './memory-index/support/contract.js';

/** Each file of the folder checks one method; a file that is added is run without a list to keep. */
const contracts = await Promise.all(
  readdirSync(new URL('./memory-index/', import.meta.url))
    .filter((file) => /^[a-z-]+\.[tj]s$/.test(file))
    .map(async (file) => {
      const module: { readonly default: MemoryIndexContract } = await import(`./memory-index/${file}`);
      return { method: file.replace(/\.[tj]s$/, ''), contract: module.default };
    }),
);

/**
 * Registers the tests that every adapter of `MemoryIndex` must pass. Call it at the top level of a test file.
 * `createMemory` makes an empty memory that is ready; `dispose` runs after it was closed.
 */
export function runMemoryIndexContract(name: string, createMemory: () => Promise<MemoryUnderTest>): void {
  describe(`${name}: the contract of MemoryIndex`, () => {
    let current: MemoryUnderTest | null = null;
    const harness = {
      get memory(): MemoryIndex {
        if (current === null) throw new Error('The memory exists only while a test runs');
        return current.memory;
      },
    };

    beforeEach(async () => {
      current = await createMemory();
    });

    afterEach(async () => {
      await current?.memory.close();
      await current?.dispose();
      current = null;
    });

    for (const { method, contract } of contracts) describe(method, () => contract(harness));
  });
}
