import { messageOf } from '../../../errors/flowgate-error.js';
import type { RunEvent } from '../../core/log/event.js';
import type { RunState } from '../../core/state/state.js';
import { childOf, type Child } from '../../core/waits/child.js';
import type { FamilyOrder } from '../../core/waits/events/child-events.js';
import { openChildrenOf } from '../../core/family/family-orders.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { RunInMemory } from '../run-shell.js';
import { isOrder } from '../../core/family/family-changes.js';
import type { ParentCache } from './parent-cache.js';
import type { ParentNotifier } from './parent-notifier.js';
import { Semaphore } from '../../scheduling/semaphore.js';

/** How many children of one run follow concurrently; as many again below each of them. */
const AT_ONCE = 8;

export interface FamilyOrdersOptions {
  readonly live: Pick<LiveRuns, 'withRun'>;
  readonly parents: ParentCache;
  readonly notifier: ParentNotifier;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly cancelGraceMs: number;
  readonly isClosing: () => boolean;
}

/**
 * Makes children follow the orders in their parent's log (see `core/family/family-orders.ts`) at once; the follower of the
 * family log repairs what is lost on the way.
 *
 * 1. A child is given its parent's current order, again and again until that has not changed: so of several orders that
 *    overtake each other the newest wins.
 * 2. A child that has followed notifies its parent of its activity.
 */
export class FamilyOrders {
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(private readonly options: FamilyOrdersOptions) {}

  /** These events changed the run. */
  changed({ runId, durable }: RunInMemory, events: readonly RunEvent[]): void {
    if (!isOrder(events)) return;
    const before = this.underWay.get(runId) ?? Promise.resolve();
    const all = before.then(() => this.followAll(durable)).catch((error: unknown) => this.warn(runId, error));
    this.underWay.set(runId, all);
    void all.then(() => {
      if (this.underWay.get(runId) === all) this.underWay.delete(runId);
    });
  }

  /** Resolves once all children that follow this run's orders are done, and their descendants. */
  settled(runId: string): Promise<void> {
    return this.underWay.get(runId) ?? Promise.resolve();
  }

  /** Makes one child follow, if there is an order. */
  async follow(parentRunId: string, child: Child): Promise<void> {
    let notifiedSeq = 0;
    for (;;) {
      const isNotifiedAgain = await this.options.parents.withParent(parentRunId, async (parent) => {
        const open = parent.durable.phase === 'live' ? childOf(parent.durable, child) : undefined;
        if (open === undefined || open.order === null || open.order.seq === notifiedSeq) return false;
        notifiedSeq = open.order.seq;
        await this.notify(open, open.order);
        return true;
      });
      if (isNotifiedAgain !== true) return;
    }
  }

  private async followAll(parent: RunState): Promise<void> {
    const slots = new Semaphore(AT_ONCE);
    const children = openChildrenOf(parent).filter(({ order }) => order !== null);
    await Promise.all(children.map((child) => slots.run(() => this.follow(parent.runId, child))));
  }

  /** A child that was not begun yet has nothing to follow: `ChildStarts` comes back here once it has begun it. */
  private async notify({ childRunId }: Child, order: FamilyOrder): Promise<void> {
    const { live, notifier, clock, cancelGraceMs: graceMs } = this.options;
    await live.withRun(childRunId, async (run) => {
      if (run.durable.phase !== 'live') return;
      await run.deliver({ type: 'follow', at: clock.now(), order, graceMs });
      await this.settled(childRunId);
      await notifier.notify(run.durable);
    });
  }

  private warn(runId: string, error: unknown): void {
    if (this.options.isClosing()) return;
    this.options.logger.warn('Children of a run could not follow it at once; they do later', {
      runId,
      error: messageOf(error),
    });
  }
}
