import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { StoreGuard } from './store-guard.js';

/** A store that serves or not, and its guard. */
function guarded() {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const looks: boolean[] = [];
  const store = { trouble: null as string | null };
  const guard = new StoreGuard(
    {
      check: async ({ deep }) => {
        looks.push(deep);
        if (store.trouble !== null) throw new Error(store.trouble);
      },
    },
    clock,
    logger,
  );
  return { clock, logger, looks, store, guard };
}

describe('the guard of the store', () => {
  it('logs nothing about a store that serves', async () => {
    const { guard, logger } = guarded();
    expect(await guard.look({ deep: true })).toBeNull();
    expect(await guard.look({ deep: false })).toBeNull();
    expect(logger.said).toEqual([]);
  });

  it('logs once that it does not serve, and once that it serves again', async () => {
    const { guard, logger, store } = guarded();
    store.trouble = 'the folder is gone: mount it';
    for (let looks = 0; looks < 3; looks += 1) {
      expect(await guard.look({ deep: false })).toBe('the folder is gone: mount it');
    }
    expect(logger.said).toEqual([
      { level: 'error', message: 'The store cannot serve: the folder is gone: mount it', fields: {} },
    ]);
    store.trouble = null;
    for (let looks = 0; looks < 3; looks += 1) expect(await guard.look({ deep: false })).toBeNull();
    expect(logger.said.slice(1)).toEqual([{ level: 'info', message: 'The store serves again', fields: {} }]);
    store.trouble = 'again';
    await guard.look({ deep: false });
    expect(logger.at('error')).toHaveLength(2);
  });

  it('looks every five seconds from its start on, without a write', async () => {
    const { guard, clock, looks } = guarded();
    await clock.advance(60_000);
    expect(looks).toEqual([]);
    guard.start();
    await clock.advance(4_999);
    expect(looks).toEqual([]);
    await clock.advance(1);
    expect(looks).toEqual([false]);
    for (let look = 0; look < 3; look += 1) await clock.advance(5_000);
    expect(looks).toEqual([false, false, false, false]);
  });

  it('continues to look while the store does not serve', async () => {
    const { guard, clock, looks, store } = guarded();
    store.trouble = 'gone';
    guard.start();
    await clock.advance(5_000);
    await clock.advance(5_000);
    expect(looks).toHaveLength(2);
  });

  it('tries a write for a deep look', async () => {
    const { guard, looks } = guarded();
    await guard.look({ deep: true });
    expect(looks).toEqual([true]);
  });

  it('does not look any more once it is stopped, not even when a look was under way', async () => {
    const { guard, clock, looks } = guarded();
    guard.start();
    guard.stop();
    expect(clock.scheduled).toBe(0);
    guard.start();
    expect(clock.scheduled).toBe(0);
    await clock.advance(60_000);
    expect(looks).toEqual([]);
  });
});
