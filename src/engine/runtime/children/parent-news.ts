import { messageOf } from '../../../errors/flowgate-error.js';
import type { RunState } from '../../core/state/state.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import { isKnownTo, newsOf } from './child-news.js';
import type { KeptParents } from './kept-parents.js';

export interface ParentNewsOptions {
  readonly parents: KeptParents;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly isClosing: () => boolean;
}

/** Tells parents how their children stand. What is told twice, or late, does nothing: see `core/waits/child.ts`. */
export class ParentNews {
  constructor(private readonly options: ParentNewsOptions) {}

  /** Resolves once what the parent made of it is durable. Rejects when the parent cannot be told. */
  async tell(child: RunState): Promise<void> {
    const { parents, clock } = this.options;
    if (child.parent === null) return;
    await parents.withParent(child.parent.runId, async (parent) => {
      const news = await newsOf(child, clock.now());
      // What it has not stored yet may be that the child moved, after which this is no repetition.
      const isKnown = news === null || (parent.isSettled && isKnownTo(parent.durable, news));
      if (!isKnown) await parent.deliver(news);
    });
  }

  /** The same, for those who go on meanwhile. What fails here is made good by the follower. */
  tellSoon(child: RunState): void {
    this.tell(child).catch((error: unknown) => {
      if (this.options.isClosing()) return;
      this.options.logger.warn('A run could not be told at once what became of its child; it is told later', {
        runId: child.parent?.runId,
        childRunId: child.runId,
        error: messageOf(error),
      });
    });
  }
}
