import type { RunEvent } from '../../core/log/event.js';
import { eventKind } from '../../core/log/event-kinds.js';
import type { Plan } from '../../core/plan/plan.js';
import type { RunState } from '../../core/state/state.js';
import { statusOf } from '../../core/state/status.js';
import type { Child } from '../../core/waits/child.js';
import { hasChildrenToPause, openChildrenOf } from '../../core/waits/family-orders.js';
import { isFollowing } from '../../core/waits/pause.js';

const WITH_CHILDREN = new WeakMap<Plan, boolean>();
const NONE: readonly never[] = [];

/**
 * Whether the run's parent or its children may have to hear of what these events did to it: a child that began, or
 * stands otherwise than before; a parent that does not wait for a child any more, or has all of them do something.
 */
export function concernsFamily(from: RunState, to: RunState, events: readonly RunEvent[]): boolean {
  if (to.parent !== null && (from.seq === 0 || standsOtherwise(from, to, events))) return true;
  return isOrder(events) || childrenLeft(from, to, events).length > 0;
}

/** Whether a parent sees a difference: another status, or another place at which it waits for a person. */
export function standsOtherwise(before: RunState, after: RunState, events: readonly RunEvent[]): boolean {
  if (before.phase !== after.phase || statusOf(before) !== statusOf(after)) return true;
  // Nobody knows of what it went back to.
  if (events.some(({ type }) => type === 'rewound')) return true;
  // It, or one below it, was resumed by its own address: a pause of its family that comes later is for it again.
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

/** Whether the runs that it waits for are to stand still, or go on, with it. */
export function isOrder(events: readonly RunEvent[]): boolean {
  return events.some(({ type }) => type === 'family-paused' || type === 'family-resumed');
}

/** The children that the run waited for before these events, and does not any more though it heard of no end. */
export function childrenLeft(
  before: RunState,
  after: RunState,
  events: readonly RunEvent[],
): readonly Child[] {
  // Nothing else closes a wait without naming it; so most turns cost nothing here.
  if (before.phase !== 'live' || !events.some((event) => eventKind(event.type).sweeps(event))) return NONE;
  const told = new Set<number>();
  for (const event of events) {
    if (event.type === 'child-ended' || event.type === 'child-refused') told.add(event.childId);
  }
  return openChildrenOf(before).filter(
    ({ id }) => !told.has(id) && !(after.phase === 'live' && after.waits.has(id)),
  );
}

/** Whether runs of the plan ever have children. */
export function waitsForRuns(plan: Plan): boolean {
  let known = WITH_CHILDREN.get(plan);
  if (known === undefined) {
    known = [...plan.units.values()].some(({ kind }) => kind === 'workflow');
    WITH_CHILDREN.set(plan, known);
  }
  return known;
}
