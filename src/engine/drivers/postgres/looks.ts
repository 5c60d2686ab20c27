import { messageOf } from '../../../errors/flowgate-error.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';

const LOOK_EVERY_MS = 5_000;

export interface LooksOptions {
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** The shards that this replica owns now. */
  readonly owned: () => readonly number[];
  /** `OwnershipEvents.look`. */
  readonly look: (shards: readonly number[]) => Promise<number>;
}

/**
 * Makes up for nudges that were lost: at the beginning of each LISTEN, and every 5 s. One look at a time; what is wanted meanwhile is
 * one look afterwards.
 */
export class Looks {
  private readonly wanted = new Set<number>();
  private isLooking = false;
  private isFailing = false;
  private isStopped = false;
  private found = 0;
  private cancelTimer: CancelTimer = () => undefined;

  constructor(private readonly options: LooksOptions) {}

  /** How many runs were found that should have been nudged. */
  get foundSoFar(): number {
    return this.found;
  }

  start(): void {
    const { clock, owned } = this.options;
    this.cancelTimer = clock.schedule(clock.now() + LOOK_EVERY_MS, () => {
      this.at(owned());
      this.start();
    });
  }

  stop(): void {
    this.isStopped = true;
    this.cancelTimer();
  }

  at(shards: readonly number[]): void {
    for (const shard of shards) this.wanted.add(shard);
    if (this.isLooking) return;
    this.isLooking = true;
    void this.lookAtAll();
  }

  /** Never rejects. */
  private async lookAtAll(): Promise<void> {
    while (this.wanted.size > 0 && !this.isStopped) {
      const owned = new Set(this.options.owned());
      const shards = [...this.wanted].filter((shard) => owned.has(shard));
      this.wanted.clear();
      if (shards.length > 0) await this.lookAt(shards);
    }
    this.isLooking = false;
  }

  private async lookAt(shards: readonly number[]): Promise<void> {
    const { look, logger } = this.options;
    try {
      this.found += await look(shards);
      this.isFailing = false;
    } catch (error) {
      if (this.isFailing || this.isStopped) return;
      this.isFailing = true;
      logger.warn(
        'It could not be looked whether others appended to runs of this process; it is tried again',
        {
          error: messageOf(error),
        },
      );
    }
  }
}
