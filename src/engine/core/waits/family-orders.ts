import type { Actor } from '../log/actor.js';
import type { EventBase } from '../log/event-base.js';
import type { RunBudget } from '../state/run-budget.js';
import type { Draft, RunState } from '../state/state.js';
import { changeWait } from './books.js';
import type { Child } from './child.js';
import type { FamilyOrder } from './child-events.js';
import type { EventKinds } from './wait-kind.js';

/**
 * A pause or a resume of a run is one of its family: of all runs that it waits for, and of those that they wait for. It
 * stands in the log of the run that was asked, as an order to its children; each follows it by an event of its own log,
 * which in turn is an order to those below.
 *
 * 1. Only the newest order counts, and following it twice does nothing: so it may come late, and more than once.
 * 2. An order to go on lifts what the run knew of when it was asked: pauses of a child that it had been told of, and its
 *    own order to pause. What the child came to afterwards is for another request.
 * 3. A child that was resumed by its own address has followed the pause, and is not paused by it again.
 */

/** The runs that the run waits for are to stand still, too. */
export interface FamilyPaused extends EventBase {
  readonly type: 'family-paused';
  readonly by: Actor;
}

/** The runs that the run waits for are to go on. */
export interface FamilyResumed extends EventBase {
  readonly type: 'family-resumed';
  /** The run's last event when it was asked: what children told later is not meant. */
  readonly seenSeq: number;
  /** What the run may spend from here on; absent: as much as before. */
  readonly budget?: RunBudget;
  /** What was asked for, which its children are given; absent: nothing. */
  readonly given?: RunBudget;
  readonly by: Actor;
}

export type FamilyEvent = FamilyPaused | FamilyResumed;

export const FAMILY_EVENTS: EventKinds<FamilyEvent> = {
  'family-paused': {
    upcasts: [],
    fold(draft, { seq, by }) {
      for (const child of openChildrenOf(draft)) {
        if (isToldToPause(child) && child.isApart !== true) continue;
        order(draft, child, { seq, type: 'pause', by, seenSeq: 0, throughSeq: 0, budget: null });
      }
    },
    // None is begun any more.
    sweeps: () => true,
  },
  'family-resumed': {
    upcasts: [],
    fold(draft, { seq, by, seenSeq, budget, given = null }) {
      if (budget !== undefined) draft.budget = budget;
      for (const child of openChildrenOf(draft)) {
        if (!isToGoOn(child, seenSeq)) continue;
        const throughSeq = isPausedBy(child, seenSeq) ? child.heardSeq : 0;
        order(draft, child, { seq, type: 'resume', by, seenSeq, throughSeq, budget: given });
      }
    },
    // Those that were not begun are.
    restates: () => true,
  },
};

/** The children that the run waits for, in no order. */
export function openChildrenOf({ phase, waits }: RunState): readonly Child[] {
  if (phase !== 'live') return NONE;
  let children: Child[] | null = null;
  waits.forEach((wait) => {
    if (wait.kind !== 'child') return;
    if (children === null) children = [wait as Child];
    else children.push(wait as Child);
  });
  return children ?? NONE;
}

/** Whether a pause of the run has anybody to reach that was not told of one, or was resumed by its own address since. */
export function hasChildrenToPause(state: RunState): boolean {
  return openChildrenOf(state).some((child) => !isToldToPause(child) || child.isApart === true);
}

/** Whether a resume of the run, asked for when `seenSeq` was its last event, has anybody to reach. */
export function hasChildrenToResume(state: RunState, seenSeq: number): boolean {
  return openChildrenOf(state).some((child) => isToGoOn(child, seenSeq));
}

export function isToldToPause({ order: given }: Child): boolean {
  return given?.type === 'pause';
}

function isToGoOn(child: Child, seenSeq: number): boolean {
  return isToldToPause(child) || isPausedBy(child, seenSeq);
}

/** It had told of a pause, and no order to go on meant that one. */
function isPausedBy({ pausedSeq, order: given }: Child, seenSeq: number): boolean {
  if (pausedSeq === null || pausedSeq > seenSeq) return false;
  return given === null || given.type === 'pause' || given.seenSeq < pausedSeq;
}

function order(draft: Draft, child: Child, given: FamilyOrder): void {
  const { isApart: _, ...told } = child;
  changeWait(draft, child, { ...told, order: given } as Child);
}

const NONE: readonly never[] = [];
