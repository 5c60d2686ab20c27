import type { RunStoreHarness } from './support/contract.js';
import { NOON, sampleAppend, sampleEvents, sampleKey, sampleRow } from './support/sample-run.js';

export default function appendContract(harness: RunStoreHarness): void {
  it('creates a run with its events and row', async () => {
    await expect(harness.store.append(sampleAppend('a', { count: 3 }))).resolves.toBe('appended');
    await expect(harness.store.readRow({ runId: 'a' })).resolves.toEqual(sampleRow('a'));
    await expect(harness.store.load({ runId: 'a', atSeq: null })).resolves.toEqual({
      row: sampleRow('a'),
      storedState: null,
      events: sampleEvents(0, 3),
    });
  });

  it('adds events to a run and replaces its row', async () => {
    await harness.store.append(sampleAppend('a', { count: 3 }));
    const row = sampleRow('a', {
      status: 'paused',
      updatedAt: NOON + 9,
      wakeAt: NOON + 60_000,
      openExecutions: 2,
    });
    await harness.store.append(sampleAppend('a', { expectedSeq: 3, count: 1, row }));
    const loaded = await harness.store.load({ runId: 'a', atSeq: null });
    expect(loaded?.row).toEqual(row);
    expect(loaded?.events).toEqual(sampleEvents(0, 4));
  });

  it.each([
    ['a run that exists already', 0],
    ['a writer that is behind', 1],
    ['a writer that is ahead', 3],
  ])('answers conflict to %s and writes nothing (promises 1 and 2)', async (_who, expectedSeq) => {
    await harness.store.append(sampleAppend('a'));
    const late = sampleAppend('a', {
      expectedSeq,
      row: sampleRow('a', { status: 'failed' }),
      storedState: { seq: expectedSeq + 2, stateVersion: 1, state: {} },
      idempotency: [sampleKey('a')],
    });
    await expect(harness.store.append(late)).resolves.toBe('conflict');
    await expect(harness.store.load({ runId: 'a', atSeq: null })).resolves.toEqual({
      row: sampleRow('a'),
      storedState: null,
      events: sampleEvents(0, 2),
    });
    await expect(harness.store.readIdempotency(sampleKey('a'))).resolves.toBeNull();
    await expect(harness.store.readAll({ afterPosition: 0, limit: 10 })).resolves.toHaveLength(1);
  });

  it('answers conflict to an append to a run that does not exist', async () => {
    await expect(harness.store.append(sampleAppend('a', { expectedSeq: 2 }))).resolves.toBe('conflict');
    await expect(harness.store.readRow({ runId: 'a' })).resolves.toBeNull();
  });

  it('lets exactly one of many writers win (promise 2)', async () => {
    const writers = Array.from({ length: 20 }, () => harness.store.append(sampleAppend('a')));
    const answers = await Promise.all(writers);
    expect(answers.filter((answer) => answer === 'appended')).toHaveLength(1);
    await expect(harness.store.readEvents({ runId: 'a', afterSeq: 0, limit: 10 })).resolves.toHaveLength(2);
  });

  it('takes appends that build on one another without waiting between them', async () => {
    const chain = Array.from({ length: 50 }, (_, index) =>
      harness.store.append(sampleAppend('a', { expectedSeq: index * 2 })),
    );
    expect(new Set(await Promise.all(chain))).toEqual(new Set(['appended']));
    await expect(harness.store.readEvents({ runId: 'a', afterSeq: 0, limit: 200 })).resolves.toEqual(
      sampleEvents(0, 100),
    );
  });

  it('refuses one append of many without harm to the others', async () => {
    await harness.store.append(sampleAppend('taken'));
    const answers = await Promise.all([
      harness.store.append(sampleAppend('a')),
      harness.store.append(sampleAppend('taken')),
      harness.store.append(sampleAppend('b')),
    ]);
    expect(answers).toEqual(['appended', 'conflict', 'appended']);
  });

  it('answers conflict when an idempotency key exists, and writes none of the append', async () => {
    await harness.store.append(sampleAppend('a', { idempotency: [sampleKey('a')] }));
    const other = sampleAppend('b', { idempotency: [sampleKey('b', { key: 'new' }), sampleKey('b')] });
    await expect(harness.store.append(other)).resolves.toBe('conflict');
    await expect(harness.store.readRow({ runId: 'b' })).resolves.toBeNull();
    await expect(harness.store.readIdempotency(sampleKey('b', { key: 'new' }))).resolves.toBeNull();
    await expect(harness.store.readIdempotency(sampleKey('a'))).resolves.toMatchObject({ runId: 'a' });
  });

  it('keeps a large event whole', async () => {
    const text = 'äß€😀'.repeat(250_000);
    const [event] = sampleEvents(0, 1);
    const large = { ...event!, type: 'state-written' as const, values: { text } };
    await harness.store.append(sampleAppend('a', { events: [large as never] }));
    const [read] = await harness.store.readEvents({ runId: 'a', afterSeq: 0, limit: 1 });
    expect(read).toEqual(large);
  });
}
