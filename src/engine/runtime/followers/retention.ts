import { messageOf } from '../../../errors/flowgate-error.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { MemoryIndex } from '../../ports/memory-index.js';
import type { RunStore } from '../../ports/run-store.js';
import type { EngineLogger } from '../logger.js';

const EVERY_MS = 3_600_000;
const BATCH = 100;
/** Between two batches, so that a large clean-up takes no more than a share of the store's time. */
const PAUSE_MS = 50;

export interface RetentionOptions {
  readonly store: RunStore;
  readonly memory: MemoryIndex;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** Runs that ended longer ago go; null keeps all. */
  readonly retentionMs: number | null;
}

/** Deletes runs that ended long ago, and what they left in the memory, every hour and in small batches. */
export class Retention {
  private cancelTimer: CancelTimer | null = null;
  private isStopped = false;
  /** Runs that are gone from the store; the memory could not be told yet. */
  private unforgotten: readonly string[] = [];

  constructor(private readonly options: RetentionOptions) {}

  start(): void {
    if (this.options.retentionMs !== null) this.next(0);
  }

  stop(): void {
    this.isStopped = true;
    this.cancelTimer?.();
  }

  private next(delayMs: number): void {
    if (this.isStopped) return;
    const { clock } = this.options;
    this.cancelTimer = clock.schedule(clock.now() + delayMs, () => void this.purgeBatch());
  }

  private async purgeBatch(): Promise<void> {
    const { store, memory, clock, logger, retentionMs } = this.options;
    if (retentionMs === null) return;
    let isDone = true;
    try {
      const runIds = await store.purgeEnded({ endedBefore: clock.now() - retentionMs, limit: BATCH });
      isDone = runIds.length < BATCH;
      this.unforgotten = [...this.unforgotten, ...runIds];
      if (this.unforgotten.length > 0) await memory.removeRuns({ runIds: this.unforgotten });
      this.unforgotten = [];
    } catch (error) {
      logger.warn('Ended runs could not be deleted; the next hour tries again', {
        error: messageOf(error),
      });
    }
    this.next(isDone ? EVERY_MS : PAUSE_MS);
  }
}
