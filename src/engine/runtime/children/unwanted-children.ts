import { messageOf } from '../../../errors/flowgate-error.js';
import { ENGINE_ACTOR } from '../../core/log/actor.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import { AtMost } from './at-most.js';

const AT_ONCE = 16;

export interface UnwantedChildrenOptions {
  readonly live: Pick<LiveRuns, 'withRun'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly isClosing: () => boolean;
  readonly cancelGraceMs: number;
}

/** Cancels children that nobody waits for any more; what they had begun themselves ends with them in the same way. */
export class UnwantedChildren {
  private readonly places = new AtMost(AT_ONCE);

  constructor(private readonly options: UnwantedChildrenOptions) {}

  /** Its parent just stopped waiting for it. What fails here is made good by the follower. */
  cancelSoon(childRunId: string): void {
    this.cancel(childRunId, { evenAlone: true }).catch((error: unknown) => {
      if (this.options.isClosing()) return;
      this.options.logger.warn('A child that nobody waits for could not be cancelled at once; it is later', {
        runId: childRunId,
        error: messageOf(error),
      });
    });
  }

  /** `evenAlone`: also one that went on after its end by itself. Nothing to one that is over, or never began. */
  cancel(childRunId: string, { evenAlone }: { readonly evenAlone: boolean }): Promise<void> {
    const { live, clock, cancelGraceMs: graceMs } = this.options;
    return this.places.run(async () => {
      await live.withRun(childRunId, async (run) => {
        const { phase, isOnItsOwn } = run.durable;
        if (phase === 'live' && (evenAlone || !isOnItsOwn)) {
          await run.deliver({ type: 'cancel', at: clock.now(), by: ENGINE_ACTOR, graceMs });
        }
      });
    });
  }
}
