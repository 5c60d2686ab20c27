import { jest } from '@jest/globals';
import MiniSearch from 'minisearch';
import type { LogEntry } from '../../src/engine/ports/store/commit-log.js';
import { runMemoryIndexContract } from '../../src/engine/testing/contract/memory-index.js';
import { runRunStoreContract } from '../../src/engine/testing/contract/run-store.js';
import {
  endedRow,
  sampleAppend,
  sampleKey,
  sampleRow,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { sampleEntry } from '../../src/engine/testing/contract/memory-index/support/contract.js';
import { InMemoryMemoryIndex } from '../../src/engine/in-memory/in-memory-memory-index.js';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';

runRunStoreContract('in-memory', async () => ({ store: new InMemoryRunStore(), dispose: async () => {} }));
runMemoryIndexContract('in-memory', async () => ({
  memory: new InMemoryMemoryIndex(),
  dispose: async () => {},
}));

describe('an in-memory store with a bound', () => {
  const id = sampleRunId;
  const end = async (store: InMemoryRunStore, index: number): Promise<string> =>
    store.append(sampleAppend(id(index), { row: endedRow(id(index), index) }));
  const log = async (store: InMemoryRunStore): Promise<readonly string[]> =>
    (await store.readAll({ afterPosition: 0, limit: 999 })).map(
      ({ kind, runId }) => `${kind} ${Number.parseInt(runId.slice(-12, -2), 16)}`,
    );
  const ended = async (store: InMemoryRunStore): Promise<number> =>
    (await store.readAll({ afterPosition: 0, limit: 9_999 })).filter(({ kind }) => kind === 'appended')
      .length;

  it('forgets the run that ended first, with its log entries and keys, and leaves a tombstone', async () => {
    const store = new InMemoryRunStore({ maxEndedRuns: 2 });
    await store.append(sampleAppend(id(9)));
    for (const index of [2, 1, 3]) {
      const idempotency = [sampleKey(id(index), { key: `key ${index}` })];
      await store.append(sampleAppend(id(index), { idempotency }));
    }
    for (const index of [1, 2, 3]) {
      await store.append(sampleAppend(id(index), { expectedSeq: 2, row: endedRow(id(index), 9) }));
    }
    await expect(store.readRow({ runId: id(1) })).resolves.toBeNull();
    await expect(store.readIdempotency(sampleKey(id(1), { key: 'key 1' }))).resolves.toBeNull();
    await expect(log(store)).resolves.toEqual([
      'appended 9',
      'appended 2',
      'appended 3',
      'appended 2',
      'appended 3',
      'purged 1',
    ]);
  });

  it('never forgets a run that has not ended', async () => {
    const store = new InMemoryRunStore({ maxEndedRuns: 1 });
    await end(store, 1);
    await store.append(sampleAppend(id(1), { expectedSeq: 2, row: sampleRow(id(1)) }));
    for (const index of [2, 3]) await end(store, index);
    await expect(store.readRow({ runId: id(1) })).resolves.not.toBeNull();
    await expect(store.readRow({ runId: id(2) })).resolves.toBeNull();
  });

  it('counts a run that ended twice from its second end', async () => {
    const store = new InMemoryRunStore({ maxEndedRuns: 2 });
    await store.writeCursor({ name: 'memory', position: 0 });
    // The third makes the first the next to go; nobody has read it yet, so it is still there.
    for (const index of [1, 2, 3]) await end(store, index);
    await store.append(sampleAppend(id(1), { expectedSeq: 2, row: sampleRow(id(1)) }));
    await store.append(sampleAppend(id(1), { expectedSeq: 4, row: endedRow(id(1), 9) }));
    await store.writeCursor({ name: 'memory', position: 5 });
    await expect(store.readRow({ runId: id(2) })).resolves.toBeNull();
    await expect(store.readRow({ runId: id(1) })).resolves.not.toBeNull();
  });

  it('keeps what the slowest follower has not read, and removes it once that has', async () => {
    const store = new InMemoryRunStore({ maxEndedRuns: 2 });
    await store.writeCursor({ name: 'fast', position: 99 });
    await store.writeCursor({ name: 'slow', position: 0 });
    for (const index of [1, 2, 3, 4]) await end(store, index);
    await expect(ended(store)).resolves.toBe(4);
    await store.writeCursor({ name: 'slow', position: 1 });
    await expect(log(store)).resolves.toEqual(['appended 2', 'appended 3', 'appended 4', 'purged 1']);
    await store.writeCursor({ name: 'slow', position: 4 });
    await expect(ended(store)).resolves.toBe(2);
  });

  it('keeps never more than twice the number, however slow a follower is', async () => {
    const store = new InMemoryRunStore({ maxEndedRuns: 5 });
    await store.writeCursor({ name: 'stuck', position: 0 });
    for (let index = 0; index < 100; index += 1) await end(store, index);
    await expect(ended(store)).resolves.toBe(10);
  });

  it('keeps a bounded number of tombstones that nobody drops, the newest', async () => {
    const store = new InMemoryRunStore({ maxEndedRuns: 1 });
    for (let index = 0; index < 10_000; index += 1) await end(store, index);
    const entries = await store.readAll({ afterPosition: 0, limit: 99_999 });
    expect(entries.length).toBeLessThan(2_100);
    expect(entries.length).toBeGreaterThan(1_000);
    expect(entries.at(-1)).toMatchObject({ kind: 'purged', runId: id(9_998) });
  });

  it('shows a follower the log without gaps while thousands of runs end and go', async () => {
    const store = new InMemoryRunStore({ maxEndedRuns: 50 });
    const seen: LogEntry[] = [];
    await store.writeCursor({ name: 'follower', position: 0 });
    for (let index = 0; index < 3_000; index += 1) {
      await end(store, index);
      if (index % 40 !== 0) continue;
      const page = await store.readAll({ afterPosition: seen.at(-1)?.position ?? 0, limit: 1_000 });
      seen.push(...page);
      await store.writeCursor({ name: 'follower', position: seen.at(-1)!.position });
      await store.dropTombstones({ throughPosition: seen.at(-1)!.position });
    }
    const appended = seen.filter(({ kind }) => kind === 'appended').map(({ runId }) => runId);
    expect(appended).toEqual(Array.from({ length: appended.length }, (_, index) => id(index)));
    const purged = seen.filter(({ kind }) => kind === 'purged').map(({ runId }) => runId);
    expect(purged).toEqual(Array.from({ length: purged.length }, (_, index) => id(index)));
    expect(purged.length).toBeGreaterThan(2_800);
  });
});

describe('an in-memory memory with a bound', () => {
  it('forgets the oldest entries', async () => {
    const memory = new InMemoryMemoryIndex({ maxEntries: 2 });
    await memory.put({ entries: ['a', 'b', 'c'].map((id) => sampleEntry(id, 'apples')) });
    const hits = await memory.search({ namespace: 'default', query: 'apples', topK: 10 });
    expect(hits.map(({ id }) => id).sort()).toEqual(['b', 'c']);
  });

  it('takes apart into words only what is still there when somebody searches, and each entry once', async () => {
    const added = jest.spyOn(MiniSearch.prototype, 'add');
    const memory = new InMemoryMemoryIndex({ maxEntries: 2 });
    const search = () => memory.search({ namespace: 'default', query: 'apples', topK: 10 });
    for (const id of ['a', 'b', 'c']) await memory.put({ entries: [sampleEntry(id, 'apples')] });
    expect(added).not.toHaveBeenCalled();
    for (let times = 0; times < 2; times += 1) expect(await search()).toHaveLength(2);
    expect(added).toHaveBeenCalledTimes(2);
    await memory.put({ entries: [sampleEntry('b', 'pears')] });
    expect((await search()).map(({ id }) => id)).toEqual(['c']);
    added.mockRestore();
  });

  it('serves a search while many entries are still to be read, and is closed in the middle of that', async () => {
    const memory = new InMemoryMemoryIndex();
    await memory.put({ entries: Array.from({ length: 5_000 }, (_, i) => sampleEntry(`${i}`, `apple ${i}`)) });
    const searching = memory.search({ namespace: 'default', query: 'apple', topK: 1 });
    await new Promise(setImmediate);
    await memory.close();
    await expect(searching).rejects.toThrow('The memory is closed');
  });
});
