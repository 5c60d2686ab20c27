import { messageOf } from '../../../errors/flowgate-error.js';
import type { RunState } from '../../core/state/state.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import { isKnownTo, childNotificationsOf } from './child-notifications.js';
import type { ParentCache } from './parent-cache.js';

export interface ParentNotifierOptions {
  readonly parents: ParentCache;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly isClosing: () => boolean;
}

/** Notifies parents of their children. A repeated, or late, notification changes nothing: see `core/waits/child.ts`. */
export class ParentNotifier {
  constructor(private readonly options: ParentNotifierOptions) {}

  /** Resolves once the parent's reaction is durable. Rejects when the parent cannot be notified. */
  async notify(child: RunState): Promise<void> {
    const { parents, clock } = this.options;
    if (child.parent === null) return;
    await parents.withParent(child.parent.runId, async (parent) => {
      const notification = await childNotificationsOf(child, clock.now());
      // A parent that is not settled may be about to store that the child moved, and then this is no repetition.
      const isKnown = notification === null || (parent.isSettled && isKnownTo(parent.durable, notification));
      if (!isKnown) await parent.deliver(notification);
    });
  }

  /** The same without waiting for it. The follower repairs what fails here. */
  notifySoon(child: RunState): void {
    this.notify(child).catch((error: unknown) => {
      if (this.options.isClosing()) return;
      this.options.logger.warn('A run could not be told at once what became of its child; it is told later', {
        runId: child.parent?.runId,
        childRunId: child.runId,
        error: messageOf(error),
      });
    });
  }
}
