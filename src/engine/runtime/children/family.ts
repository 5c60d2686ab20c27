import type { RunEvent } from '../../core/log/event.js';
import { eventKind } from '../../core/log/event-kinds.js';
import type { Plan } from '../../core/plan/plan.js';
import type { RunState } from '../../core/state/state.js';
import { statusOf } from '../../core/state/status.js';
import { isChild, type Child } from '../../core/waits/child.js';

const WITH_CHILDREN = new WeakMap<Plan, boolean>();
const NONE: readonly never[] = [];

/**
 * Whether the run's parent or its children may have to hear of what these events did to it: a child that began, or
 * stands otherwise than before; a parent that does not wait for a child any more.
 */
export function concernsFamily(from: RunState, to: RunState, events: readonly RunEvent[]): boolean {
  if (to.parent !== null && (from.seq === 0 || standsOtherwise(from, to))) return true;
  return childrenLeft(from, to, events).length > 0;
}

/** Whether a parent sees a difference. */
export function standsOtherwise(before: RunState, after: RunState): boolean {
  return before.phase !== after.phase || statusOf(before) !== statusOf(after);
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
  return openChildren(before).filter(
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

/** The children that the run waits for, in no order. */
export function openChildren({ phase, waits }: RunState): readonly Child[] {
  if (phase !== 'live') return NONE;
  let children: Child[] | null = null;
  waits.forEach((wait) => {
    if (!isChild(wait)) return;
    if (children === null) children = [wait];
    else children.push(wait);
  });
  return children ?? NONE;
}
