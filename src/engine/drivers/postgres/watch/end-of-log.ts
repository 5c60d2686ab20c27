import { messageOf } from '../../../../errors/flowgate-error.js';
import type { CancelTimer, Clock } from '../../../ports/clock.js';
import type { EngineLogger } from '../../../ports/logger.js';

const LOOK_EVERY_MS = 250;
/** After a look that failed. */
const LOOK_AGAIN_MS = 1_000;

export interface EndOfLogOptions {
  /** The store's `lastPosition`. */
  readonly lastPosition: () => Promise<number>;
  readonly isAwaited: () => boolean;
  /** Called when it has moved, and at the first look. */
  readonly moved: () => void;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/**
 * Watches the end of the log of all runs while somebody waits for it.
 *
 * The position that was seen is never newer than the look of whoever waits now: one look after the beginning of a wait shows any
 * append after it. So the first look, which has nothing to compare with, wakes everybody.
 */
export class EndOfLog {
  private seen: number | null = null;
  private cancelLook: CancelTimer | null = null;
  private isLooking = false;
  private isFailing = false;
  private isClosed = false;

  constructor(private readonly options: EndOfLogOptions) {}

  /** Somebody waits from now on. */
  awaited(): void {
    this.lookAfter(LOOK_EVERY_MS);
  }

  close(): void {
    this.isClosed = true;
    this.cancelLook?.();
  }

  private lookAfter(ms: number): void {
    const { clock } = this.options;
    if (this.isClosed || this.isLooking || this.cancelLook !== null) return;
    this.cancelLook = clock.schedule(clock.now() + ms, () => {
      this.cancelLook = null;
      void this.look();
    });
  }

  /** Never rejects. */
  private async look(): Promise<void> {
    const { lastPosition, isAwaited, moved, logger } = this.options;
    this.isLooking = true;
    try {
      const position = await lastPosition();
      this.isFailing = false;
      if (position !== this.seen) {
        this.seen = position;
        moved();
      }
    } catch (error) {
      if (!this.isFailing && !this.isClosed) {
        logger.warn('The end of the log could not be looked at; who follows it waits longer', {
          error: messageOf(error),
        });
      }
      this.isFailing = true;
    }
    this.isLooking = false;
    if (isAwaited()) this.lookAfter(this.isFailing ? LOOK_AGAIN_MS : LOOK_EVERY_MS);
  }
}
