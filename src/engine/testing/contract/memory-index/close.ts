import { StoreError } from '../../../../errors/service-errors.js';
import { sampleEntry, type MemoryIndexHarness } from './support/contract.js';

export default function closeContract(harness: MemoryIndexHarness): void {
  it('afterwards every method rejects with a StoreError', async () => {
    await harness.memory.close();
    await expect(harness.memory.put({ entries: [sampleEntry('a', 'apples')] })).rejects.toThrow(StoreError);
    await expect(harness.memory.search({ namespace: 'default', query: 'apples', topK: 1 })).rejects.toThrow(
      StoreError,
    );
    await expect(harness.memory.removeRuns({ runIds: ['r'] })).rejects.toThrow(StoreError);
  });

  it('twice is no error', async () => {
    await harness.memory.close();
    await expect(harness.memory.close()).resolves.toBeUndefined();
  });
}
