import type { MemoryIndex } from '../../ports/memory/memory-index.js';
import { contractsIn } from './contracts-in.js';
import type { MemoryIndexHarness, MemoryUnderTest } from './memory-index/support/contract.js';

const contracts = await contractsIn<MemoryIndexHarness>(new URL('./memory-index/', import.meta.url));

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

    for (const { name: method, register } of contracts) describe(method, () => register(harness));
  });
}
