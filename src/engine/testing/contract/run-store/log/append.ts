import type { RunStoreHarness } from '../support/contract.js';
import {
  NOON,
  sampleAppend,
  sampleEvents,
  sampleKey,
  sampleRow,
  sampleRunId,
} from '../support/sample-run.js';

const RUN = sampleRunId(1);
const OTHER = sampleRunId(2);
const TAKEN = sampleRunId(3);

export default function appendContract(harness: RunStoreHarness): void {
  it('creates a run with its events and row', async () => {
    expect(await harness.store.append(sampleAppend(RUN, { count: 3 }))).toBe('appended');
    const row = sampleRow(RUN, { lastSeq: 3 });
    await expect(harness.store.readRow({ runId: RUN })).resolves.toEqual(row);
    await expect(harness.store.load({ runId: RUN, atSeq: null })).resolves.toEqual({
      row,
      storedState: null,
      events: sampleEvents(0, 3),
    });
  });

  it('adds events to a run and replaces its row', async () => {
    await harness.store.append(sampleAppend(RUN, { count: 3 }));
    const row = sampleRow(RUN, {
      status: 'paused',
      updatedAt: NOON + 9,
      wakeAt: NOON + 60_000,
      openExecutions: 2,
      lastSeq: 4,
    });
    await harness.store.append(sampleAppend(RUN, { expectedSeq: 3, count: 1, row }));
    const loaded = await harness.store.load({ runId: RUN, atSeq: null });
    expect(loaded?.row).toEqual(row);
    expect(loaded?.events).toEqual(sampleEvents(0, 4));
  });

  it('keeps events of types and versions that this build does not know', async () => {
    const events = [{ v: 9, seq: 1, at: NOON, type: 'of-next-year', $map: { deep: [null] } }];
    await harness.store.append(sampleAppend(RUN, { events }));
    await expect(harness.store.readEvents({ runId: RUN, afterSeq: 0, limit: 9 })).resolves.toEqual(events);
  });

  it.each([
    ['a run that exists already', 0],
    ['a writer that is behind', 1],
    ['a writer that is ahead', 3],
  ])('returns conflict to %s and writes nothing (promises 1 and 2)', async (_who, expectedSeq) => {
    await harness.store.append(sampleAppend(RUN));
    const late = sampleAppend(RUN, {
      expectedSeq,
      row: sampleRow(RUN, { status: 'failed' }),
      storedState: { seq: expectedSeq + 2, stateVersion: 1, state: {} },
      idempotency: [sampleKey(RUN)],
      labels: { team: 'a' },
      openGates: [{ gateId: 1, unitId: 'sign', openedAt: NOON }],
    });
    expect(await harness.store.append(late)).toBe('conflict');
    await expect(harness.store.load({ runId: RUN, atSeq: null })).resolves.toEqual({
      row: sampleRow(RUN),
      storedState: null,
      events: sampleEvents(0, 2),
    });
    await expect(harness.store.readIdempotency(sampleKey(RUN))).resolves.toBeNull();
    await expect(harness.store.readLabels({ runId: RUN })).resolves.toEqual({});
    await expect(harness.store.listOpenGates({ runId: RUN })).resolves.toEqual([]);
    await expect(harness.store.readAll({ afterPosition: 0, limit: 10 })).resolves.toHaveLength(1);
  });

  it('returns conflict to an append to a run that does not exist', async () => {
    expect(await harness.store.append(sampleAppend(RUN, { expectedSeq: 2 }))).toBe('conflict');
    await expect(harness.store.readRow({ runId: RUN })).resolves.toBeNull();
  });

  it('lets exactly one of many writers win (promise 2)', async () => {
    const writers = Array.from({ length: 20 }, () => harness.store.append(sampleAppend(RUN)));
    const results = await Promise.all(writers);
    expect(results.filter((result) => result === 'appended')).toHaveLength(1);
    await expect(harness.store.readEvents({ runId: RUN, afterSeq: 0, limit: 10 })).resolves.toHaveLength(2);
  });

  it('takes appends that build on one another without waiting between them', async () => {
    const chain = Array.from({ length: 50 }, (_, index) =>
      harness.store.append(sampleAppend(RUN, { expectedSeq: index * 2 })),
    );
    expect(new Set(await Promise.all(chain))).toEqual(new Set(['appended']));
    await expect(harness.store.readEvents({ runId: RUN, afterSeq: 0, limit: 200 })).resolves.toEqual(
      sampleEvents(0, 100),
    );
  });

  it('refuses one append of many without harm to the others', async () => {
    await harness.store.append(sampleAppend(TAKEN));
    const results = await Promise.all([
      harness.store.append(sampleAppend(RUN)),
      harness.store.append(sampleAppend(TAKEN)),
      harness.store.append(sampleAppend(OTHER)),
    ]);
    expect(results).toEqual(['appended', 'conflict', 'appended']);
  });

  it('returns conflict when an idempotency key exists, and writes none of the append', async () => {
    await harness.store.append(sampleAppend(RUN, { idempotency: [sampleKey(RUN)] }));
    const other = sampleAppend(OTHER, {
      idempotency: [sampleKey(OTHER, { key: 'new' }), sampleKey(OTHER)],
      labels: { team: 'a' },
    });
    expect(await harness.store.append(other)).toBe('conflict');
    await expect(harness.store.readRow({ runId: OTHER })).resolves.toBeNull();
    await expect(harness.store.readLabels({ runId: OTHER })).resolves.toEqual({});
    await expect(harness.store.readIdempotency(sampleKey(OTHER, { key: 'new' }))).resolves.toBeNull();
    await expect(harness.store.readIdempotency(sampleKey(RUN))).resolves.toMatchObject({ runId: RUN });
  });

  it('keeps a large event whole', async () => {
    const text = 'äß€😀'.repeat(250_000);
    const [event] = sampleEvents(0, 1);
    const large = { ...event!, values: { text } };
    await harness.store.append(sampleAppend(RUN, { events: [large] }));
    const [read] = await harness.store.readEvents({ runId: RUN, afterSeq: 0, limit: 1 });
    expect(read).toEqual(large);
  });
}
