import { runMemoryIndexContract } from '../../src/engine/testing/contract/memory-index.js';
import { runRunStoreContract } from '../../src/engine/testing/contract/run-store.js';
import {
  endedRow,
  sampleAppend,
  sampleKey,
  sampleRow,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { sampleEntry } from '../../src/engine/testing/contract/memory-index/support/contract.js';
import { InMemoryMemoryIndex } from '../../src/storage/in-memory/in-memory-memory-index.js';
import { InMemoryRunStore } from '../../src/storage/in-memory/in-memory-run-store.js';

runRunStoreContract('in-memory', async () => ({ store: new InMemoryRunStore(), dispose: async () => {} }));
runMemoryIndexContract('in-memory', async () => ({
  memory: new InMemoryMemoryIndex(),
  dispose: async () => {},
}));

describe('an in-memory store with a bound', () => {
  it('forgets the run that ended first, with its log entries and keys', async () => {
    const store = new InMemoryRunStore({ maxEndedRuns: 2 });
    await store.append(sampleAppend('live'));
    for (const runId of ['b', 'a', 'c']) {
      await store.append(sampleAppend(runId, { idempotency: [sampleKey(runId, { key: runId })] }));
    }
    for (const runId of ['a', 'b', 'c']) {
      await store.append(sampleAppend(runId, { expectedSeq: 2, row: endedRow(runId, 9) }));
    }
    await expect(store.readRow({ runId: 'a' })).resolves.toBeNull();
    await expect(store.readIdempotency(sampleKey('a', { key: 'a' }))).resolves.toBeNull();
    const entries = await store.readAll({ afterPosition: 0, limit: 99 });
    expect(entries.map(({ runId }) => runId)).toEqual(['live', 'b', 'c', 'b', 'c']);
  });

  it('never forgets a run that goes on', async () => {
    const store = new InMemoryRunStore({ maxEndedRuns: 1 });
    await store.append(sampleAppend('again', { row: endedRow('again', 1) }));
    await store.append(sampleAppend('again', { expectedSeq: 2, row: sampleRow('again') }));
    for (const runId of ['x', 'y']) await store.append(sampleAppend(runId, { row: endedRow(runId, 2) }));
    await expect(store.readRow({ runId: 'again' })).resolves.not.toBeNull();
    await expect(store.readRow({ runId: 'x' })).resolves.toBeNull();
  });

  it('shows a follower the log without gaps while thousands of runs end and go', async () => {
    const store = new InMemoryRunStore({ maxEndedRuns: 50 });
    for (let index = 0; index < 3_000; index += 1) {
      await store.append(sampleAppend(`run-${index}`, { row: endedRow(`run-${index}`, index) }));
    }
    const entries = await store.readAll({ afterPosition: 0, limit: 10_000 });
    expect(entries.map(({ position }) => position)).toEqual(
      Array.from({ length: 50 }, (_, index) => 2_951 + index),
    );
  });
});

describe('an in-memory memory with a bound', () => {
  it('forgets the oldest entries', async () => {
    const memory = new InMemoryMemoryIndex({ maxEntries: 2 });
    await memory.put({ entries: ['a', 'b', 'c'].map((id) => sampleEntry(id, 'apples')) });
    const hits = await memory.search({ query: 'apples', topK: 10 });
    expect(hits.map(({ id }) => id).sort()).toEqual(['b', 'c']);
  });
});
