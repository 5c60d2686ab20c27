import { messageOf } from '../../../errors/flowgate-error.js';
import { ENGINE_ACTOR } from '../../core/log/actor.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import { Semaphore } from '../../scheduling/semaphore.js';

const AT_ONCE = 16;

export interface OrphanedChildrenOptions {
  readonly live: Pick<LiveRuns, 'withRun'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly isClosing: () => boolean;
  readonly cancelGraceMs: number;
}

/** Cancels orphaned children: those that no parent waits for any more. Their own children end in the same way. */
export class OrphanedChildren {
  private readonly slots = new Semaphore(AT_ONCE);

  constructor(private readonly options: OrphanedChildrenOptions) {}

  /** Its parent just stopped waiting for it. The follower repairs what fails here. */
  cancelSoon(childRunId: string): void {
    this.cancel(childRunId, { evenDetached: true }).catch((error: unknown) => {
      if (this.options.isClosing()) return;
      this.options.logger.warn('A child that nobody waits for could not be cancelled at once; it is later', {
        runId: childRunId,
        error: messageOf(error),
      });
    });
  }

  /** `evenDetached`: also a child that continued detached after its end. Does nothing if it is over, or never began. */
  cancel(childRunId: string, { evenDetached }: { readonly evenDetached: boolean }): Promise<void> {
    const { live, clock, cancelGraceMs: graceMs } = this.options;
    return this.slots.run(async () => {
      await live.withRun(childRunId, async (run) => {
        const { phase, isOnItsOwn } = run.durable;
        if (phase === 'live' && (evenDetached || !isOnItsOwn)) {
          await run.deliver({ type: 'cancel', at: clock.now(), by: ENGINE_ACTOR, graceMs });
        }
      });
    });
  }
}
