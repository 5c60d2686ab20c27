import type { RunEvent } from '../../core/log/event.js';
import type { RunState } from '../../core/state/state.js';
import { statusOf } from '../../core/state/status.js';
import type { Child } from '../../core/waits/child.js';
import type { RunInMemory } from '../mailbox/run-shell.js';
import type { ChildStarts } from './child-starts.js';
import { childrenLeft, isOrder, standsOtherwise } from './family.js';
import type { FamilyOrders } from './family-orders.js';
import type { ParentNews } from './parent-news.js';
import type { UnwantedChildren } from './unwanted-children.js';

export interface ChildrenOptions {
  readonly starts: ChildStarts;
  readonly news: ParentNews;
  readonly orders: FamilyOrders;
  readonly unwanted: UnwantedChildren;
  readonly owns: (runId: string) => boolean;
  /** The follower has something to look at. */
  readonly poke: () => void;
}

/**
 * What becomes of children and parents when a run moves, at once: children are started, parents told, and those cancelled
 * that nobody waits for. All of it is done again by the follower of the family log, where it was lost.
 */
export class Children {
  constructor(private readonly options: ChildrenOptions) {}

  seeTo(parent: RunInMemory, child: Child, mayBegin: boolean): void {
    this.options.starts.seeTo(parent, child, mayBegin);
  }

  /** A run moved on, by these events; `before`: as it was before them, null where that is not known. */
  changed(run: RunInMemory, events: readonly RunEvent[], before: RunState | null): void {
    const { news, unwanted, orders, owns, poke } = this.options;
    const { runId, durable } = run;
    const left = before === null ? [] : childrenLeft(before, durable, events);
    for (const { childRunId } of left) unwanted.cancelSoon(childRunId);
    const isNews = durable.parent !== null && isNewsOf(durable, before, events);
    // Another process's run: its owner is nudged, and tells.
    if (isNews && owns(runId)) news.tellSoon(durable);
    orders.changed(run, events);
    if (isNews || left.length > 0 || isOrder(events)) poke();
  }

  /** Another process moved the run. */
  movedElsewhere({ runId, durable }: RunInMemory): void {
    if (durable.parent !== null && this.options.owns(runId)) this.options.news.tellSoon(durable);
  }
}

/** A parent takes for granted that the child which it began runs. */
function isNewsOf(child: RunState, before: RunState | null, events: readonly RunEvent[]): boolean {
  if (before === null) return true;
  return before.seq === 0 ? statusOf(child) !== 'running' : standsOtherwise(before, child, events);
}
