import { rm } from 'node:fs/promises';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { killAfter, startChild } from './support/child.js';

describe('a process that is killed while it appends', () => {
  it.each([20, 300, 1_500])('has lost nothing of what it acknowledged after %i appends', async (count) => {
    const folder = await temporaryFolder();
    try {
      const [, ...acknowledged] = await killAfter(startChild('append-for-ever.mjs', [folder.path]), count);
      const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
      await store.open();
      const lastSeqs = new Map(acknowledged.map((line) => line.split(' ') as [string, string]));
      expect(acknowledged.length).toBeGreaterThanOrEqual(count - 1);
      let appends = 0;
      for (const [runId, lastSeq] of lastSeqs) {
        const events = await store.readEvents({ runId, afterSeq: 0, limit: 100_000 });
        appends += events.length / 2;
        // The append that was under way may be there as a whole, or not at all.
        expect(events.length - Number(lastSeq)).toBeGreaterThanOrEqual(0);
        expect(events.length - Number(lastSeq)).toBeLessThanOrEqual(2);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
        const loaded = await store.load({ runId, atSeq: null });
        expect(loaded?.row.updatedAt).toBe(events.length);
        expect((loaded?.storedState?.seq ?? 0) + loaded!.events.length).toBe(events.length);
      }
      const entries = await store.readAll({ afterPosition: 0, limit: 100_000 });
      expect(entries).toHaveLength(appends);
      await store.close();
    } finally {
      await rm(folder.path, { recursive: true });
    }
  });
});
