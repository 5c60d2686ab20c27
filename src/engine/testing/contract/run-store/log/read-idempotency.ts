import type { RunStoreHarness } from '../support/contract.js';
import { sampleAppend, sampleKey, sampleRunId } from '../support/sample-run.js';

const RUN = sampleRunId(1);
const OTHER = sampleRunId(2);

export default function readIdempotencyContract(harness: RunStoreHarness): void {
  it('returns null for an unknown key', async () => {
    await expect(harness.store.readIdempotency({ scope: 's', key: 'k' })).resolves.toBeNull();
  });

  it('returns the record that was written with an append', async () => {
    const record = sampleKey(RUN, { fingerprint: 'abc' });
    await harness.store.append(sampleAppend(RUN, { idempotency: [record] }));
    await expect(harness.store.readIdempotency(record)).resolves.toEqual(record);
  });

  it('tells the same key in two scopes apart', async () => {
    await harness.store.append(sampleAppend(RUN, { idempotency: [sampleKey(RUN, { scope: 'start:x' })] }));
    const second = sampleAppend(OTHER, { idempotency: [sampleKey(OTHER, { scope: 'start:y' })] });
    expect(await harness.store.append(second)).toBe('appended');
    await expect(harness.store.readIdempotency({ scope: 'start:y', key: 'key-1' })).resolves.toMatchObject({
      runId: OTHER,
    });
  });
}
