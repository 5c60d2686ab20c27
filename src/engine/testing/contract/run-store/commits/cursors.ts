import type { RunStoreHarness } from '../support/contract.js';
import { sampleAppend, sampleRunId } from '../support/sample-run.js';

export default function cursorsContract(harness: RunStoreHarness): void {
  it('begin at 0', async () => {
    await expect(harness.store.readCursor({ name: 'memory' })).resolves.toBe(0);
  });

  it('keep the last position, each follower its own', async () => {
    await harness.store.writeCursor({ name: 'memory', position: 7 });
    await harness.store.writeCursor({ name: 'metrics', position: 3 });
    await harness.store.writeCursor({ name: 'memory', position: 9 });
    await expect(harness.store.readCursor({ name: 'memory' })).resolves.toBe(9);
    await expect(harness.store.readCursor({ name: 'metrics' })).resolves.toBe(3);
  });

  it('can be set back', async () => {
    await harness.store.writeCursor({ name: 'memory', position: 9 });
    await harness.store.writeCursor({ name: 'memory', position: 0 });
    await expect(harness.store.readCursor({ name: 'memory' })).resolves.toBe(0);
  });

  it('take nothing from followers that come later', async () => {
    await harness.store.append(sampleAppend(sampleRunId(1)));
    const [entry] = await harness.store.readAll({ afterPosition: 0, limit: 1 });
    await harness.store.writeCursor({ name: 'memory', position: entry!.position });
    await expect(harness.store.readAll({ afterPosition: 0, limit: 1 })).resolves.toEqual([entry]);
  });
}
