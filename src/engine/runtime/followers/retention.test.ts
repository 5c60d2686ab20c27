import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { Retention } from './retention.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** A clean-up over a store that has so many ended runs to give, and followers with these cursors. */
function cleanUp(
  options: { readonly ended?: number; readonly cursors?: Readonly<Record<string, number>> } = {},
) {
  const { ended = 0, cursors = {} } = options;
  const clock = new ManualClock(10 * DAY_MS);
  const logger = new RecordingLogger();
  const asked: unknown[] = [];
  const woken: string[] = [];
  const store = { left: ended, isBroken: false };
  const signal = new AbortController();
  const retention = new Retention({
    store: {
      purgeEnded: async (request) => {
        asked.push(request);
        if (store.isBroken) throw new Error('the disk is full');
        const count = Math.min(store.left, request.limit);
        store.left -= count;
        return Array.from({ length: count }, (_, index) => `run-${index}`);
      },
      dropTombstones: async (request) => void asked.push(request),
      readCursor: async ({ name }) => cursors[name]!,
      lastPosition: async () => 99,
    },
    clock,
    logger,
    retentionMs: DAY_MS,
    followers: Object.keys(cursors).map((name) => ({ name, wake: () => void woken.push(name) })),
  });
  return { clock, logger, asked, poked: woken, store, signal, work: () => retention.work(signal.signal) };
}

describe('the clean-up of ended runs', () => {
  it('takes those that ended longer ago than they are kept, every hour', async () => {
    const { clock, asked, signal, work } = cleanUp();
    const working = work();
    await clock.advance(0);
    const purge = { endedBefore: 9 * DAY_MS, throughPosition: null, limit: 100 };
    expect(asked).toEqual([purge, { throughPosition: 99 }]);
    await clock.advance(HOUR_MS - 1);
    expect(asked).toHaveLength(2);
    await clock.advance(1);
    expect(asked.slice(2)).toEqual([
      { ...purge, endedBefore: 9 * DAY_MS + HOUR_MS },
      { throughPosition: 99 },
    ]);
    signal.abort();
    await working;
    expect(clock.scheduled).toBe(0);
  });

  it('takes a hundred at a time, with a pause between, until fewer are left', async () => {
    const { clock, asked, store, signal, work } = cleanUp({ ended: 250 });
    void work();
    await clock.advance(0);
    expect(store.left).toBe(150);
    await clock.advance(49);
    expect(store.left).toBe(150);
    await clock.advance(1);
    expect(store.left).toBe(50);
    await clock.advance(50);
    expect(store.left).toBe(0);
    expect(asked).toHaveLength(4);
    await clock.advance(1_000);
    expect(asked).toHaveLength(4);
    signal.abort();
  });

  it('never passes the slowest follower, and wakes each for what was taken', async () => {
    const {
      clock,
      asked,
      poked: woken,
      signal,
      work,
    } = cleanUp({ ended: 1, cursors: { memory: 7, other: 5 } });
    void work();
    await clock.advance(0);
    expect(asked).toEqual([
      { endedBefore: 9 * DAY_MS, throughPosition: 5, limit: 100 },
      { throughPosition: 5 },
    ]);
    expect(woken).toEqual(['memory', 'other']);
    await clock.advance(HOUR_MS);
    expect(woken).toHaveLength(2);
    signal.abort();
  });

  it('logs that it failed, and tries again the next hour', async () => {
    const { clock, logger, asked, store, signal, work } = cleanUp();
    store.isBroken = true;
    void work();
    await clock.advance(0);
    expect(logger.said).toEqual([
      {
        level: 'warn',
        message: 'Ended runs could not be deleted; the next hour tries again',
        fields: { error: 'the disk is full' },
      },
    ]);
    store.isBroken = false;
    await clock.advance(HOUR_MS);
    expect(asked).toHaveLength(3);
    expect(logger.said).toHaveLength(1);
    signal.abort();
  });

  it('logs no failure at the end of its process, and ends', async () => {
    const { clock, logger, store, signal, work } = cleanUp();
    store.isBroken = true;
    const working = work();
    signal.abort();
    await working;
    expect([logger.said, clock.scheduled]).toEqual([[], 0]);
  });

  it('ends between two batches when its signal fires', async () => {
    const { clock, store, signal, work } = cleanUp({ ended: 250 });
    const working = work();
    await clock.advance(0);
    signal.abort();
    await working;
    expect(store.left).toBe(150);
  });

  it('does nothing where all runs are kept, or where it was over before it began', async () => {
    const { asked, signal, work } = cleanUp();
    signal.abort();
    await work();
    expect(asked).toEqual([]);
    const nothing = { purgeEnded: () => Promise.reject(new Error('asked')) };
    const logger = new RecordingLogger();
    const keeping = new Retention({
      store: nothing as never,
      clock: new ManualClock(),
      logger,
      retentionMs: null,
      followers: [],
    });
    await keeping.work(new AbortController().signal);
    expect(logger.said).toEqual([]);
  });
});
