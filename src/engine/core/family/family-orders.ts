import type { Actor } from '../log/actor.js';
import type { EventBase } from '../log/event-base.js';
import { FROM_OUTSIDE, type FactsOf } from '../log/event-facts.js';
import { actor, ifThere, runBudget, whole } from '../log/event-shape.js';
import type { RunBudget } from '../state/run-budget.js';
import type { Draft, RunState } from '../state/state.js';
import { changeWait } from '../waits/state-indexes.js';
import type { Child } from '../waits/child.js';
import type { FamilyOrder } from '../waits/events/child-events.js';
import type { EventKinds } from '../waits/wait-kind.js';

/**
 * A pause or a resume of a run applies to its family: to all runs that it waits for, and to those that they wait for. It is
 * logged by the run that received the request, as an order to its children; each follows it by an event of its own log,
 * which in turn is an order to those below.
 *
 * 1. Only the newest order counts, and following it twice does nothing: so it may come late, and more than once.
 * 2. An order to continue lifts what the run knew of at the request: pauses that a child had reported, and the run's own
 *    order to pause. What the child came to afterwards is for another request.
 * 3. A child that was resumed by its own address has followed the pause, and is not paused by it again.
 */

/** The runs that the run waits for are to pause, too. */
export interface FamilyPaused extends EventBase {
  readonly type: 'family-paused';
  readonly by: Actor;
}

/** The runs that the run waits for are to continue. */
export interface FamilyResumed extends EventBase {
  readonly type: 'family-resumed';
  /** Seq of the run's last event at the request: what children reported later is not meant. */
  readonly seenSeq: number;
  /** What the run may spend from here on; absent: as much as before. */
  readonly budget?: RunBudget;
  /** The budget of the request, which its children are given; absent: none. */
  readonly given?: RunBudget;
  readonly by: Actor;
}

export type FamilyEvent = FamilyPaused | FamilyResumed;

/** What the shell has to know of the orders to a family. */
const FACTS: FactsOf<FamilyEvent> = {
  'family-paused': { ...FROM_OUTSIDE, logFields: ['by'], shape: { by: actor } },
  'family-resumed': {
    ...FROM_OUTSIDE,
    logFields: ['seenSeq', 'budget', 'given', 'by'],
    shape: { seenSeq: whole, budget: ifThere(runBudget), given: ifThere(runBudget), by: actor },
  },
};

export const FAMILY_EVENTS: EventKinds<FamilyEvent> = {
  'family-paused': {
    facts: FACTS['family-paused'],
    upcasts: [],
    fold(draft, { seq, by }) {
      for (const child of openChildrenOf(draft)) {
        if (isOrderedToPause(child) && child.isApart !== true) continue;
        order(draft, child, { seq, type: 'pause', by, seenSeq: 0, throughSeq: 0, budget: null });
      }
    },
    // No child is begun any more.
    sweeps: () => true,
  },
  'family-resumed': {
    facts: FACTS['family-resumed'],
    upcasts: [],
    fold(draft, { seq, by, seenSeq, budget, given = null }) {
      if (budget !== undefined) draft.budget = budget;
      for (const child of openChildrenOf(draft)) {
        if (!isToContinue(child, seenSeq)) continue;
        const throughSeq = isPausedBy(child, seenSeq) ? child.heardSeq : 0;
        order(draft, child, { seq, type: 'resume', by, seenSeq, throughSeq, budget: given });
      }
    },
    // Children that were not begun yet are begun.
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

/** Whether a child is still to be paused: it has no order to, or a run below it was resumed by its own address since. */
export function hasChildrenToPause(state: RunState): boolean {
  return openChildrenOf(state).some((child) => !isOrderedToPause(child) || child.isApart === true);
}

/** Whether a resume of the run, requested when `seenSeq` was its last event, reaches any child. */
export function hasChildrenToResume(state: RunState, seenSeq: number): boolean {
  return openChildrenOf(state).some((child) => isToContinue(child, seenSeq));
}

export function isOrderedToPause({ order: given }: Child): boolean {
  return given?.type === 'pause';
}

function isToContinue(child: Child, seenSeq: number): boolean {
  return isOrderedToPause(child) || isPausedBy(child, seenSeq);
}

/** Whether the child had reported a pause that no order to continue has meant so far. */
function isPausedBy({ pausedSeq, order: given }: Child, seenSeq: number): boolean {
  if (pausedSeq === null || pausedSeq > seenSeq) return false;
  return given === null || given.type === 'pause' || given.seenSeq < pausedSeq;
}

function order(draft: Draft, child: Child, given: FamilyOrder): void {
  const { isApart: _, ...withoutApart } = child;
  changeWait(draft, child, { ...withoutApart, order: given } as Child);
}

const NONE: readonly never[] = [];
