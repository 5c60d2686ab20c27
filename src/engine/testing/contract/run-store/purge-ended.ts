import type { RunStoreHarness } from './support/contract.js';
import { NOON, endedRow, sampleAppend, sampleKey, sampleRow } from './support/sample-run.js';

export default function purgeEndedContract(harness: RunStoreHarness): void {
  beforeEach(async () => {
    await harness.store.append(
      sampleAppend('late', { row: endedRow('late', NOON + 3), idempotency: [sampleKey('late')] }),
    );
    await harness.store.append(
      sampleAppend('early', {
        row: endedRow('early', NOON + 1, { status: 'failed' }),
        idempotency: [sampleKey('early', { key: 'key-2' })],
        storedState: { seq: 2, stateVersion: 1, state: {} },
      }),
    );
    await harness.store.append(sampleAppend('live', { row: sampleRow('live', { createdAt: NOON - 99 }) }));
    await harness.store.append(sampleAppend('middle', { row: endedRow('middle', NOON + 2) }));
  });

  it('deletes those that ended before the instant and answers their ids, oldest first', async () => {
    await expect(harness.store.purgeEnded({ endedBefore: NOON + 3, limit: 10 })).resolves.toEqual([
      'early',
      'middle',
    ]);
    const left = await harness.store.listRuns({ workflowId: null, status: null, before: null, limit: 10 });
    expect(left.map(({ runId }) => runId)).toEqual(['late', 'live']);
  });

  it('deletes at most the limit, the oldest first', async () => {
    await expect(harness.store.purgeEnded({ endedBefore: NOON + 9, limit: 1 })).resolves.toEqual(['early']);
    await expect(harness.store.purgeEnded({ endedBefore: NOON + 9, limit: 2 })).resolves.toEqual([
      'middle',
      'late',
    ]);
    await expect(harness.store.purgeEnded({ endedBefore: NOON + 9, limit: 2 })).resolves.toEqual([]);
  });

  it('leaves nothing of a deleted run, and the others as they were', async () => {
    await harness.store.purgeEnded({ endedBefore: NOON + 3, limit: 10 });
    await expect(harness.store.load({ runId: 'early', atSeq: null })).resolves.toBeNull();
    await expect(harness.store.readRow({ runId: 'early' })).resolves.toBeNull();
    await expect(harness.store.readEvents({ runId: 'early', afterSeq: 0, limit: 9 })).resolves.toEqual([]);
    await expect(harness.store.readIdempotency(sampleKey('early', { key: 'key-2' }))).resolves.toBeNull();
    await expect(harness.store.readIdempotency(sampleKey('late'))).resolves.toMatchObject({ runId: 'late' });
    const entries = await harness.store.readAll({ afterPosition: 0, limit: 10 });
    expect(entries.map(({ runId }) => runId)).toEqual(['late', 'live']);
  });

  it('spares a run that ended and goes on again', async () => {
    await harness.store.append(sampleAppend('early', { expectedSeq: 2, row: sampleRow('early') }));
    await expect(harness.store.purgeEnded({ endedBefore: NOON + 2, limit: 10 })).resolves.toEqual([]);
  });

  it('lets a run of the same id begin again', async () => {
    await harness.store.purgeEnded({ endedBefore: NOON + 2, limit: 10 });
    await expect(harness.store.append(sampleAppend('early'))).resolves.toBe('appended');
    const loaded = await harness.store.load({ runId: 'early', atSeq: null });
    expect(loaded).toMatchObject({ storedState: null, row: sampleRow('early') });
    expect(loaded?.events).toHaveLength(2);
  });
}
