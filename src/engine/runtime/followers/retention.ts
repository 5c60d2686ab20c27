import { messageOf } from '../../../errors/flowgate-error.js';
import { sleep, type Clock } from '../../ports/clock.js';
import type { CommitLog } from '../../ports/store/commit-log.js';
import type { EngineLogger } from '../logger.js';
import type { LogFollower } from './log-follower.js';

const EVERY_MS = 3_600_000;
const BATCH = 100;
/** Between two batches, so that a large clean-up takes no more than a share of the store's time. */
const PAUSE_MS = 50;

export interface RetentionOptions {
  readonly store: Pick<CommitLog, 'purgeEnded' | 'dropTombstones' | 'readCursor' | 'lastPosition'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** Runs that ended longer ago than this are deleted; null keeps all. */
  readonly retentionMs: number | null;
  /** The followers of the log: a run stays until each of them has read all of it. They are woken for its tombstone. */
  readonly followers: readonly Pick<LogFollower, 'name' | 'wake'>[];
}

/**
 * Deletes runs that ended long ago, every hour and in small batches. What followers made of them goes with their tombstones,
 * which the store writes in the purge's own transaction: so a crash in between loses nothing.
 */
export class Retention {
  readonly name = 'retention';

  constructor(private readonly options: RetentionOptions) {}

  /** The work of its role: continues until the signal fires, then waits for the batch under way. */
  async work(signal: AbortSignal): Promise<void> {
    const { clock, logger, retentionMs } = this.options;
    if (retentionMs === null) return;
    while (!signal.aborted) {
      try {
        await this.purge(retentionMs, signal);
        await this.dropTombstones();
      } catch (error) {
        if (signal.aborted) return;
        logger.warn('Ended runs could not be deleted; the next hour tries again', {
          error: messageOf(error),
        });
      }
      await sleep(clock, EVERY_MS, signal);
    }
  }

  private async purge(retentionMs: number, signal: AbortSignal): Promise<void> {
    const { store, clock, followers } = this.options;
    for (;;) {
      const purged = await store.purgeEnded({
        endedBefore: clock.now() - retentionMs,
        throughPosition: await this.slowestCursor(),
        limit: BATCH,
      });
      if (purged.length > 0) for (const follower of followers) follower.wake();
      if (purged.length < BATCH) return;
      await sleep(clock, PAUSE_MS, signal);
      if (signal.aborted) return;
    }
  }

  private async dropTombstones(): Promise<void> {
    const { store } = this.options;
    const throughPosition = (await this.slowestCursor()) ?? (await store.lastPosition());
    await store.dropTombstones({ throughPosition });
  }

  /** Null: there are no followers. */
  private async slowestCursor(): Promise<number | null> {
    const { store, followers } = this.options;
    if (followers.length === 0) return null;
    return Math.min(...(await Promise.all(followers.map(({ name }) => store.readCursor({ name })))));
  }
}
