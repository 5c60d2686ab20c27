import type { RunEvent } from '../log/event.js';
import { eventKind } from '../log/event-kinds.js';
import type { Plan } from '../plan/plan.js';
import type { RunState } from '../state/state.js';
import { statusOf } from '../state/status.js';
import type { Child } from '../waits/child.js';
import { hasChildrenToPause, openChildrenOf } from './family-orders.js';
import { isFollowing } from '../waits/pause.js';

const WITH_CHILDREN = new WeakMap<Plan, boolean>();
const NONE: readonly never[] = [];

/**
 * Whether the run's parent or its children may have to be notified of these events: a child began, or its status changed;
 * a parent does not wait for a child any more, or ordered all of them to pause or continue.
 */
export function concernsFamily(from: RunState, to: RunState, events: readonly RunEvent[]): boolean {
  if (to.parent !== null && (from.seq === 0 || hasChangedStatus(from, to, events))) return true;
  return isOrder(events) || childrenLeft(from, to, events).length > 0;
}

/** Whether the change matters to a parent: another status, or another wait for a person. */
export function hasChangedStatus(before: RunState, after: RunState, events: readonly RunEvent[]): boolean {
  if (before.phase !== after.phase || statusOf(before) !== statusOf(after)) return true;
  // The parent does not know the state that a rewind restored.
  if (events.some(({ type }) => type === 'rewound')) return true;
  // It, or a run below it, was resumed directly: a later pause of its family applies to it again.
  const mayHaveLeft = events.some(({ type }) => type === 'resumed' || type === 'child-went-on');
  if (
    mayHaveLeft &&
    isFollowing(before) &&
    (!isFollowing(after) || (hasChildrenToPause(after) && !hasChildrenToPause(before)))
  )
    return true;
  return events.some(
    (event) =>
      event.type === 'paused' ||
      event.type === 'child-paused' ||
      (event.type === 'child-went-on' && event.isStopping === true),
  );
}

/** Whether the runs that it waits for have to pause, or continue, with it. */
export function isOrder(events: readonly RunEvent[]): boolean {
  return events.some(({ type }) => type === 'family-paused' || type === 'family-resumed');
}

/** The children that the run stopped waiting for with these events, although they have not ended. */
export function childrenLeft(
  before: RunState,
  after: RunState,
  events: readonly RunEvent[],
): readonly Child[] {
  // Only these events close waits without naming them, so most turns cost nothing here.
  if (before.phase !== 'live' || !events.some((event) => eventKind(event.type).sweeps(event))) return NONE;
  const open = openChildrenOf(before);
  if (open.length === 0) return NONE;
  const ended = new Set<number>();
  for (const event of events) {
    if (event.type === 'child-ended' || event.type === 'child-refused') ended.add(event.childId);
  }
  return open.filter(({ id }) => !ended.has(id) && !(after.phase === 'live' && after.waits.has(id)));
}

/** Whether runs of the plan can have children. */
export function waitsForRuns(plan: Plan): boolean {
  let known = WITH_CHILDREN.get(plan);
  if (known === undefined) {
    known = [...plan.units.values()].some(({ kind }) => kind === 'workflow');
    WITH_CHILDREN.set(plan, known);
  }
  return known;
}
