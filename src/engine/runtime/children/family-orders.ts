import { messageOf } from '../../../errors/flowgate-error.js';
import type { RunEvent } from '../../core/log/event.js';
import type { RunState } from '../../core/state/state.js';
import { childOf, type Child } from '../../core/waits/child.js';
import type { FamilyOrder } from '../../core/waits/child-events.js';
import { openChildrenOf } from '../../core/waits/family-orders.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { RunInMemory } from '../mailbox/run-shell.js';
import { AtMost } from './at-most.js';
import { isOrder } from './family.js';
import type { KeptParents } from './kept-parents.js';
import type { ParentNews } from './parent-news.js';

/** Children of one run that follow at once; below each of them as many. */
const AT_ONCE = 8;

export interface FamilyOrdersOptions {
  readonly live: Pick<LiveRuns, 'withRun'>;
  readonly parents: KeptParents;
  readonly news: ParentNews;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly cancelGraceMs: number;
  readonly isClosing: () => boolean;
}

/**
 * Has children follow what their parent's log says to all of its family (see `core/waits/family-orders.ts`), at once;
 * what is lost on the way is made good by the follower of the family log.
 *
 * 1. A child is told what its parent says at that moment, and told again until that is what it was told last: so of
 *    several orders that overtake each other the newest stands in the end.
 * 2. A child that has followed tells its parent how it stands.
 */
export class FamilyOrders {
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(private readonly options: FamilyOrdersOptions) {}

  /** The run moved on by these events. */
  changed({ runId, durable }: RunInMemory, events: readonly RunEvent[]): void {
    if (!isOrder(events)) return;
    const before = this.underWay.get(runId) ?? Promise.resolve();
    const all = before.then(() => this.followAll(durable)).catch((error: unknown) => this.say(runId, error));
    this.underWay.set(runId, all);
    void all.then(() => {
      if (this.underWay.get(runId) === all) this.underWay.delete(runId);
    });
  }

  /** Resolves once all that began here with this run's orders is done, further down as well. */
  settled(runId: string): Promise<void> {
    return this.underWay.get(runId) ?? Promise.resolve();
  }

  /** Has one child follow, if there is anything to follow. */
  async follow(parentRunId: string, child: Child): Promise<void> {
    let told = 0;
    for (;;) {
      const isToldAgain = await this.options.parents.withParent(parentRunId, async (parent) => {
        const open = parent.durable.phase === 'live' ? childOf(parent.durable, child) : undefined;
        if (open === undefined || open.order === null || open.order.seq === told) return false;
        told = open.order.seq;
        await this.tell(open, open.order);
        return true;
      });
      if (isToldAgain !== true) return;
    }
  }

  private async followAll(parent: RunState): Promise<void> {
    const places = new AtMost(AT_ONCE);
    const children = openChildrenOf(parent).filter(({ order }) => order !== null);
    await Promise.all(children.map((child) => places.run(() => this.follow(parent.runId, child))));
  }

  /** One that was not begun yet has nothing to follow: whoever begins it looks here once more. */
  private async tell({ childRunId }: Child, order: FamilyOrder): Promise<void> {
    const { live, news, clock, cancelGraceMs: graceMs } = this.options;
    await live.withRun(childRunId, async (run) => {
      if (run.durable.phase !== 'live') return;
      await run.deliver({ type: 'follow', at: clock.now(), order, graceMs });
      await this.settled(childRunId);
      await news.tell(run.durable);
    });
  }

  private say(runId: string, error: unknown): void {
    if (this.options.isClosing()) return;
    this.options.logger.warn('Children of a run could not follow it at once; they do later', {
      runId,
      error: messageOf(error),
    });
  }
}
