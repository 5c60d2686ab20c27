import { join } from 'node:path';
import type { JsonValue } from '../../src/engine/core/json.js';
import type { StoredEvent } from '../../src/engine/ports/store/append.js';
import {
  sampleAppend,
  sampleEvents,
  sampleRow,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { Connection } from '../../src/storage/sqlite/connection/connection.js';
import { RunReads } from '../../src/storage/sqlite/reader/run-reads.js';
import type { Scanner } from '../../src/storage/sqlite/reader/scanner.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

const RUN = sampleRunId(1);
const SMALL_EVENTS = 20_000;
const MIB = 1024 * 1024;

function eventOf(seq: number, content: JsonValue): StoredEvent {
  return { v: 1, seq, at: 1, type: 'unit-finished', content } as StoredEvent;
}

/** How often the event loop ran in the meantime. */
async function turnsDuring<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly turns: number }> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const value = await work();
  isOver = true;
  return { value, turns };
}

describe('a run that is large', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: SqliteRunStore;

  beforeEach(async () => {
    folder = await temporaryFolder();
    store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
  });

  afterEach(async () => {
    await store.close();
    await folder.remove();
  });

  it('that was imported is kept in pieces, of which a page reads no more than it needs', async () => {
    const row = { ...sampleRow(RUN), origin: 'import' as const };
    const events = Array.from({ length: 4_000 }, (_, index) => eventOf(index + 1, 'x'.repeat(1_000)));
    expect(await store.append(sampleAppend(RUN, { events, row }))).toBe('appended');
    const entries = await store.readAll({ afterPosition: 0, limit: 1_000 });
    const pieces = entries.map((entry) => (entry.kind === 'appended' ? entry.events.length : 0));
    expect(Math.max(...pieces)).toBeLessThan(200);
    expect(await store.readEvents({ runId: RUN, afterSeq: 3_000, limit: 5 })).toEqual(
      events.slice(3_000, 3_005),
    );
    expect((await store.load({ runId: RUN, atSeq: null }))?.row.lastSeq).toBe(4_000);
    const all: StoredEvent[] = [];
    for (let page = [...events]; page.length > 0; all.push(...page)) {
      const afterSeq = all.at(-1)?.seq ?? 0;
      page = [...(await store.readEvents({ runId: RUN, afterSeq, limit: 1_000 }))];
    }
    expect(all).toEqual(events);
  });

  it('of many events is read without blocking the event loop', async () => {
    for (let seq = 0; seq < SMALL_EVENTS; seq += 500) {
      await store.append(sampleAppend(RUN, { expectedSeq: seq, count: 500 }));
    }
    const all = JSON.stringify(sampleEvents(0, SMALL_EVENTS));
    const { value: loaded, turns } = await turnsDuring(() => store.load({ runId: RUN, atSeq: null }));
    // About a MiB is loaded at once; the rest is read page by page when the run is folded.
    const first = JSON.stringify(loaded?.events).slice(0, -1);
    expect([first.length > MIB, first.length < 1.5 * MIB, all.startsWith(first)]).toEqual([true, true, true]);
    // A page holds 256 KiB, and after each of them the read yields to the event loop.
    expect(turns).toBeGreaterThanOrEqual(Math.floor(first.length / (512 * 1024)));
    const read = await turnsDuring(() => store.readEvents({ runId: RUN, afterSeq: 10, limit: 15_000 }));
    expect(read.value.map(({ seq }) => seq)).toEqual(Array.from({ length: 15_000 }, (_, i) => i + 11));
    expect(read.turns).toBeGreaterThan(5);
    const part = await store.load({ runId: RUN, atSeq: 12_345 });
    expect(part?.events.length).toBe(loaded?.events.length);
    const short = await store.load({ runId: RUN, atSeq: 1_234 });
    expect([short?.events.length, short?.events.at(-1)?.seq]).toEqual([1_234, 1_234]);
  });

  it('in one append is split by the reader thread, and parsed in slices', async () => {
    const items = Array.from({ length: 60_000 }, (_, i) => ({ id: i, text: 'some text', more: [i, null] }));
    const events = [
      eventOf(1, 'before'),
      eventOf(2, items),
      eventOf(3, 'x'.repeat(2 * MIB)),
      eventOf(4, { items, after: true }),
      eventOf(5, 'after'),
    ];
    await store.append(sampleAppend(RUN, { events }));
    await store.append(sampleAppend(RUN, { expectedSeq: 5, count: 2 }));
    const whole = JSON.stringify(events);
    const { value: loaded, turns } = await turnsDuring(() => store.load({ runId: RUN, atSeq: null }));
    expect(JSON.stringify(loaded?.events) === whole).toBe(true);
    expect(turns).toBeGreaterThan(3);
    for (const [afterSeq, limit, seqs] of [
      [0, 1, [1]],
      [2, 2, [3, 4]],
      [4, 9, [5, 6, 7]],
    ] as const) {
      const found = await store.readEvents({ runId: RUN, afterSeq, limit });
      expect(found.map(({ seq }) => seq)).toEqual(seqs);
    }
    const page = await store.readEvents({ runId: RUN, afterSeq: 0, limit: 100, maxChars: MIB });
    expect(page.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    const [entry] = await store.readAll({ afterPosition: 0, limit: 10 });
    expect(entry?.kind === 'appended' && JSON.stringify(entry.events) === JSON.stringify(events)).toBe(true);
  });

  it('has its stored state parsed in slices', async () => {
    const state = {
      writes: Array.from({ length: 100_000 }, (_, i) => [`key ${i}`, i, { value: 'some text' }]),
    };
    const storedState = { seq: 2, stateVersion: 7, state };
    await store.append(sampleAppend(RUN, { storedState }));
    await store.append(sampleAppend(RUN, { expectedSeq: 2, count: 1 }));
    const { value: loaded, turns } = await turnsDuring(() => store.load({ runId: RUN, atSeq: null }));
    expect(loaded?.storedState?.seq).toBe(2);
    expect(JSON.stringify(loaded?.storedState?.state) === JSON.stringify(state)).toBe(true);
    expect(loaded?.events.map(({ seq }) => seq)).toEqual([3]);
    expect(turns).toBeGreaterThan(3);
  });

  it('keeps neither lists nor a look at the store waiting while it is read', async () => {
    const numbers = Array.from({ length: 499_000 }, (_, i) => i % 10);
    const events = Array.from({ length: 6 }, (_, i) => eventOf(i + 1, numbers));
    await store.append(sampleAppend(RUN, { events }));
    const done: string[] = [];
    const note = (what: string) => () => void done.push(what);
    await Promise.all([
      store.load({ runId: RUN, atSeq: null }).then(note('read')),
      store.check({ deep: true }).then(note('check')),
      store.countStanding().then(note('list')),
      store.check({ deep: true }).then(note('check')),
    ]);
    expect(done.at(-1)).toBe('read');
    expect(done.slice(0, 3).toSorted()).toEqual(['check', 'check', 'list']);
  });

  it('that is purged while it is loaded is not there', async () => {
    const ended = sampleAppend(RUN, { events: [eventOf(1, 'x'.repeat(MIB))] });
    await store.append({ ...ended, row: { ...ended.row, status: 'completed', endedAt: 1 } });
    const points = new Connection(join(folder.path, 'runs.db'), 'read');
    const readLarge = async (): Promise<null> => {
      await store.purgeEnded({ endedBefore: 2, throughPosition: null, limit: 1 });
      return null;
    };
    const risks: (number | null)[] = [];
    const reads = new RunReads({
      read: (operation) => operation(points),
      scanner: () => ({ readLarge }) as unknown as Scanner,
      atRisk: (_runId, lastSeq) => void risks.push(lastSeq),
    });
    expect(await reads.load(RUN, null)).toBeNull();
    expect(risks.at(-1)).toBeNull();
    expect(risks.length).toBeGreaterThan(1);
    expect(await store.load({ runId: RUN, atSeq: null })).toBeNull();
    points.close();
  });

  it('is loaded again where its stored state was replaced by newer ones in between', async () => {
    const text = 'x'.repeat(MIB);
    const stateOf = (seq: number) => ({ seq, stateVersion: 7, state: { seq, text: seq === 1 ? text : '' } });
    await store.append(sampleAppend(RUN, { count: 1, storedState: stateOf(1) }));
    const points = new Connection(join(folder.path, 'runs.db'), 'read');
    const readLarge = async (): Promise<null> => {
      for (let seq = 1; seq < 4; seq++) {
        const storedState = stateOf(seq + 1);
        await store.append(sampleAppend(RUN, { expectedSeq: seq, count: 1, storedState }));
      }
      return null;
    };
    const risks: (number | null)[] = [];
    const reads = new RunReads({
      read: (operation) => operation(points),
      scanner: () => ({ readLarge }) as unknown as Scanner,
      atRisk: (_runId, lastSeq) => void risks.push(lastSeq),
    });
    expect((await reads.load(RUN, null))?.storedState).toEqual(stateOf(4));
    points.close();
  });
});
