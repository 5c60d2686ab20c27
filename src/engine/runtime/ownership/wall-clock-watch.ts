import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';

const EVERY_MS = 60_000;
/** A smaller step would not be noticed. */
const WORTH_LOGGING_MS = 5_000;

/**
 * Logs when the wall clock was set back: waits continue unchanged, but the instants that this process records stay ahead of
 * it until it has caught up, or the process restarts.
 */
export class WallClockWatch {
  private loggedMs = 0;
  private cancelTimer: CancelTimer = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly logger: EngineLogger,
  ) {}

  start(): void {
    this.look();
    this.cancelTimer = this.clock.schedule(this.clock.now() + EVERY_MS, () => this.start(), true);
  }

  stop(): void {
    this.cancelTimer();
  }

  private look(): void {
    const aheadMs = this.clock.now() - this.clock.wallTime();
    if (aheadMs <= this.loggedMs + WORTH_LOGGING_MS) {
      this.loggedMs = Math.min(this.loggedMs, aheadMs);
      return;
    }
    this.loggedMs = aheadMs;
    this.logger.warn(
      'The clock of this machine was set back: nothing is called later for it, but what is written down from now on is ' +
        'dated ahead of that clock; restart the service to have it follow',
      { aheadMs },
    );
  }
}
