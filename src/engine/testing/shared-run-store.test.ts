import { InMemoryRunStore } from '../in-memory/in-memory-run-store.js';
import { sampleAppend, sampleRow, sampleRunId } from './contract/run-store/support/sample-run.js';
import { sharedRunStore } from './shared-run-store.js';

describe('a store that two engines share', () => {
  it('is one boot, and shows each what the other appended', async () => {
    const [first, second] = sharedRunStore(new InMemoryRunStore(), 2);
    await expect(second!.open()).resolves.toEqual(await first!.open());
    await first!.append(sampleAppend(sampleRunId(1)));
    await expect(second!.readRow({ runId: sampleRunId(1) })).resolves.toEqual(sampleRow(sampleRunId(1)));
    expect(await second!.append(sampleAppend(sampleRunId(1)))).toBe('conflict');
  });

  it('is closed by the last of them, however often the first closes', async () => {
    const [first, second] = sharedRunStore(new InMemoryRunStore(), 2);
    await first!.open();
    await first!.close();
    await first!.close();
    await expect(second!.check({ deep: true })).resolves.toBeUndefined();
    await second!.close();
    await expect(second!.check({ deep: true })).rejects.toThrow('closed');
  });
});
