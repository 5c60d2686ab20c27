import type { RunEvent } from '../../core/log/event.js';
import type { RunState } from '../../core/state/state.js';
import { statusOf } from '../../core/state/status.js';
import type { Child } from '../../core/waits/child.js';
import type { RunInMemory } from '../run-shell.js';
import type { ChildStarts } from './child-starts.js';
import { childrenLeft, isOrder, hasChangedStatus } from '../../core/family/family-changes.js';
import type { FamilyOrders } from './family-orders.js';
import type { ParentNotifier } from './parent-notifier.js';
import type { OrphanedChildren } from './orphaned-children.js';

export interface ChildrenOptions {
  readonly starts: ChildStarts;
  readonly notifier: ParentNotifier;
  readonly orders: FamilyOrders;
  readonly orphans: OrphanedChildren;
  readonly owns: (runId: string) => boolean;
  /** Wakes the follower of the family log. */
  readonly wake: () => void;
}

/**
 * Acts on children and parents as soon as a run moves: children are started, parents notified, and orphans cancelled. The
 * follower of the family log repeats whatever of this was lost.
 */
export class Children {
  constructor(private readonly options: ChildrenOptions) {}

  seeTo(parent: RunInMemory, child: Child, mayBegin: boolean): void {
    this.options.starts.seeTo(parent, child, mayBegin);
  }

  /** These events changed a run; `before`: its state before them, null where that is not known. */
  changed(run: RunInMemory, events: readonly RunEvent[], before: RunState | null): void {
    const { notifier, orphans, orders, owns, wake } = this.options;
    const { runId, durable } = run;
    const left = before === null ? [] : childrenLeft(before, durable, events);
    for (const { childRunId } of left) orphans.cancelSoon(childRunId);
    const mustNotify = durable.parent !== null && isWorthNotifying(durable, before, events);
    // The owner of a foreign run is nudged, and notifies the parent.
    if (mustNotify && owns(runId)) notifier.notifySoon(durable);
    orders.changed(run, events);
    if (mustNotify || left.length > 0 || isOrder(events)) wake();
  }

  /** Another process moved the run. */
  movedElsewhere({ runId, durable }: RunInMemory): void {
    if (durable.parent !== null && this.options.owns(runId)) this.options.notifier.notifySoon(durable);
  }
}

/** A parent assumes that the child which it began is running. */
function isWorthNotifying(child: RunState, before: RunState | null, events: readonly RunEvent[]): boolean {
  if (before === null) return true;
  return before.seq === 0 ? statusOf(child) !== 'running' : hasChangedStatus(before, child, events);
}
