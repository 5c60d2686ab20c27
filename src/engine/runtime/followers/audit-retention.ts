import { messageOf } from '../../../errors/flowgate-error.js';
import type { AuditStore } from '../../ports/audit/audit-store.js';
import { sleep, type Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';

const EVERY_MS = 3_600_000;
const BATCH = 500;
/** Between two batches, so that a large clean-up takes no more than a share of the store's time. */
const PAUSE_MS = 50;

export interface AuditRetentionOptions {
  readonly audit: Pick<AuditStore, 'removeBefore'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** Acts of longer ago than this are removed. */
  readonly retentionMs: number;
}

/** Removes what was recorded long ago, every hour and in small batches. It knows nothing of runs: their acts outlive them. */
export class AuditRetention {
  constructor(private readonly options: AuditRetentionOptions) {}

  /** The work of its role: continues until the signal fires, then waits for the batch under way. */
  async work(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.options;
    while (!signal.aborted) {
      try {
        await this.remove(signal);
      } catch (error) {
        if (signal.aborted) return;
        logger.warn('What is old in the audit could not be removed; the next hour tries again', {
          error: messageOf(error),
        });
      }
      await sleep(clock, EVERY_MS, signal);
    }
  }

  private async remove(signal: AbortSignal): Promise<void> {
    const { audit, clock, retentionMs } = this.options;
    for (;;) {
      const before = clock.wallTime() - retentionMs;
      if ((await audit.removeBefore({ before, limit: BATCH })) < BATCH) return;
      await sleep(clock, PAUSE_MS, signal);
      if (signal.aborted) return;
    }
  }
}
