import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';

const EVERY_MS = 60_000;
/** Less is nothing that anybody would notice. */
const WORTH_SAYING_MS = 5_000;

/**
 * Says it when the wall clock was set back: waits go on as they were, but the instants that this process writes down stay
 * ahead of it until it has caught up, or the process starts anew.
 */
export class WallClockWatch {
  private saidMs = 0;
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
    if (aheadMs <= this.saidMs + WORTH_SAYING_MS) {
      this.saidMs = Math.min(this.saidMs, aheadMs);
      return;
    }
    this.saidMs = aheadMs;
    this.logger.warn(
      'The clock of this machine was set back: nothing is called later for it, but what is written down from now on is ' +
        'dated ahead of that clock; restart the service to have it follow',
      { aheadMs },
    );
  }
}
