import { anonymous, type Actor } from '../log/actor.js';
import type { EventBase, Place } from '../log/event-base.js';
import { goOnAlone } from '../fold/go-on-alone.js';
import { retryFailedThreads } from '../fold/retry.js';
import { moveCursor } from '../fold/scopes.js';
import { admitted, ROOT_SCOPE, type Cursor } from '../state/scope.js';
import { inheritedBudget } from '../state/inherited-budget.js';
import { newBudget, type RunBudget } from '../state/run-budget.js';
import { rootPath, type Draft, type RunState } from '../state/state.js';
import { isSetAside, isStopped } from '../state/status.js';
import type { Wait } from '../state/wait.js';
import { changeWait, closeWait, openWait } from './books.js';
import { callOf, holdCall } from './calls.js';
import { isChild } from './child.js';
import type { FamilyOrder } from './child-events.js';
import { hasOpenExecution } from './execution.js';
import { FAMILY_EVENTS, hasChildrenToPause, hasChildrenToResume, type FamilyEvent } from './family-orders.js';
import { waitOf, waitsOf, type Message, type WaitKind, type WaitTurn } from './wait-kind.js';

/**
 * A person has to say that the run goes on. A pause stands in the way of one thread (`before`, `after`), of one
 * execution, which it holds, or else of the whole run: then what happens is recorded, but no thread advances, and of a run
 * that is set aside nothing is called or woken either.
 */
export interface Pause extends Wait {
  readonly kind: 'pause';
  readonly reason: Paused['reason'];
  /** The execution, or the child run, that it holds; null: none. */
  readonly executionId: number | null;
  /** Where the thread goes on once it is lifted; null: it stands at no thread. */
  readonly then: Cursor | null;
  /** The order of its family that it follows, by the seq of that in the parent's log; null: none. */
  readonly orderSeq: number | null;
}

export interface Paused extends EventBase, Place {
  readonly type: 'paused';
  readonly unitId: string;
  /**
   * `before`, `after`: the author's. `recovery-limit`: the execution was being called each time the process died.
   * `undecided`: what happened could not be decided upon, by a fault of ours or of the plan. `limit`: the run has
   * outgrown a setting. `crash-limit`: each time that something of the run was read or decided, the process died; it
   * is set aside. That event is written without reading the run. `requested`: somebody asked for it; the run is set aside
   * once what was in flight has come to its end, or its time is up. `budget`: nothing is left of what the run may spend,
   * and the execution was next.
   */
  readonly reason:
    'before' | 'after' | 'recovery-limit' | 'undecided' | 'limit' | 'crash-limit' | 'requested' | 'budget';
  /** The execution, or the child run, that is held back (`recovery-limit`, `undecided`, `budget`); null: none is. */
  readonly executionId: number | null;
  /** What is wrong and what to do; not with the pauses that somebody wanted. */
  readonly error?: string;
  /** Who asked for it (`requested`). */
  readonly by?: Actor;
  /** Epoch ms until which what is in flight may come to its end (`requested`); null: nothing is, so it is set aside. */
  readonly graceUntil?: number | null;
  /** Its parent was paused: seq of the parent's event that says so (`requested`). Absent: the run itself was. */
  readonly orderSeq?: number;
}

/** Of a run that is paused on request nothing is in flight any more, or what was is let go. */
export interface SetAside extends EventBase {
  readonly type: 'set-aside';
  readonly pauseId: number;
}

export interface Resumed extends EventBase {
  readonly type: 'resumed';
  /** The pause that is lifted (the `seq` of its event); `null` when a failed run is tried again. */
  readonly pauseId: number | null;
  /** The execution that is let go with it; null: none is. */
  readonly executionId: number | null;
  /** The run had been set aside: nothing that is open was acted upon meanwhile. */
  readonly wasAside?: true;
  /** What the run may spend from here on; absent: as much as before. */
  readonly budget?: RunBudget;
  readonly by: Actor;
}

type PauseSignal =
  /** Lifts one pause; `null` tries a failed run again. */
  | {
      readonly type: 'resume';
      readonly pauseId: number | null;
      readonly by: Actor;
      /** From now on; null or absent: as it was. */
      readonly budget?: RunBudget | null;
    }
  /**
   * Deciding on a signal failed. The run is paused with the reason; the execution that the signal answered (null: it
   * answered none) is held, so that it is not called again.
   */
  | { readonly type: 'undecided'; readonly executionId: number | null; readonly error: string }
  /** Stands the run still until it is resumed. What is in flight has so many ms to come to its end. */
  | { readonly type: 'pause'; readonly by: Actor; readonly graceMs: number }
  /** Has the runs that it waits for go on, as far as they stood still when `seenSeq` was its last event. */
  | {
      readonly type: 'resume-family';
      readonly seenSeq: number;
      readonly by: Actor;
      readonly budget?: RunBudget | null;
    }
  /** The run's parent was paused, or resumed. */
  | { readonly type: 'follow'; readonly order: FamilyOrder; readonly graceMs: number };

export interface AwaitResume {
  readonly type: 'await-resume';
  readonly pauseId: number;
}

type PauseMessage = Message & {
  readonly type: 'run-paused';
  readonly reason: Paused['reason'];
  readonly unitId: string;
  /** What is wrong and what to do; for a pause that somebody asked for, who. */
  readonly error: string;
};

function isPause(wait: Wait): wait is Pause {
  return wait.kind === 'pause';
}

export function pauseOf(state: RunState, id: number): Pause | undefined {
  return waitOf<Pause>(state, 'pause', id);
}

/** The ids of the open pauses, in the order in which they opened. */
export function openPausesOf(state: RunState): readonly number[] {
  return waitsOf<Pause>(state, 'pause').map(({ id }) => id);
}

type PauseEvent = Paused | SetAside | Resumed | FamilyEvent;

export const pause: WaitKind<Pause, PauseEvent, PauseSignal, AwaitResume, PauseMessage> = {
  kind: 'pause',
  events: {
    ...FAMILY_EVENTS,
    paused: {
      // Version 1 said no more than the reason.
      upcasts: [(event) => event],
      isCheckpoint: true,
      fold: open,
      messages: ({ at: timestamp, reason, unitId, error, by }) => {
        const said = by === undefined ? error : `Paused by ${by.id}`;
        return said === undefined ? [] : [{ type: 'run-paused', timestamp, reason, unitId, error: said }];
      },
      touches: ({ seq, executionId }) => (executionId === null ? [seq] : [seq, executionId]),
      // Those that stand in nobody's way but the whole run's may set it aside.
      sweeps: ({ reason, executionId }) => executionId === null && !isAuthors(reason),
    },
    'set-aside': {
      upcasts: [],
      fold(draft, { pauseId }) {
        const before = pauseOf(draft, pauseId);
        if (before !== undefined) changeWait(draft, before, { ...before, standing: 'aside', dueAt: null });
      },
      touches: ({ pauseId }) => [pauseId],
      sweeps: () => true,
    },
    resumed: {
      // Version 1 knew a name at most, and not what the pause had held.
      upcasts: [
        (event) => ({ executionId: null, ...event, by: { ...anonymous('unknown', String(event['by'])) } }),
      ],
      fold(draft, { pauseId, by, budget }) {
        if (budget !== undefined) draft.budget = budget;
        if (pauseId !== null) return lift(draft, pauseId);
        goOnAlone(draft, by);
        draft.phase = 'live';
        draft.error = null;
        retryFailedThreads(draft);
      },
      touches: ({ pauseId, executionId }) => [pauseId, executionId].filter((id) => id !== null),
      sweeps: ({ pauseId }) => pauseId === null,
      // What was open when the run failed, or was set aside, was not acted upon since.
      restates: ({ pauseId, wasAside }) => pauseId === null || wasAside === true,
    },
  },
  signals: {
    resume(turn, { pauseId, by, budget: given = null }) {
      const { state } = turn;
      if (pauseId === null) {
        if (state.phase !== 'failed') return;
        turn.emit({ type: 'resumed', pauseId, executionId: null, ...newBudget(state.budget, given), by });
        turn.visitAll();
        return;
      }
      const lifted = state.phase === 'live' ? pauseOf(state, pauseId) : undefined;
      if (lifted !== undefined) resumeFrom(turn, lifted, by, given);
    },
    undecided: holdUndecided,
    pause: pauseOnRequest,
    'resume-family': (turn, signal) => resumeFamily(turn, signal),
    follow,
  },
  due: (turn, { id: pauseId }) => turn.emit({ type: 'set-aside', pauseId }),
  asks: ({ id: pauseId }) => ({ type: 'await-resume', pauseId }),
  parked: ({ then }) => then,
  rewound: ({ id, then }, toSeq) => (then === null || id === toSeq ? then : 'stays'),
  forked: (wait, passed) =>
    wait.then === null || wait.id === passed ? wait.then : inFrontOf(wait, wait.then),
};

function open(draft: Draft, event: Paused): void {
  const { seq: id, path, scope, unitId, reason, executionId, orderSeq = null } = event;
  if (orderSeq !== null) draft.followedSeq = orderSeq;
  const then = isAuthors(reason) ? afterwards(draft, event) : null;
  const opened: Pause = {
    id,
    kind: 'pause',
    path,
    scope,
    unitId,
    dueAt: event.graceUntil ?? null,
    heldBy: null,
    standing: standingOf(draft, event),
    chars: 0,
    reason,
    executionId,
    then,
    orderSeq,
  };
  openWait(draft, opened);
  if (executionId !== null) holdCall(draft, executionId, id);
  if (then !== null) moveCursor(draft, scope, { phase: 'waiting', path, id });
}

/** A run that a limit stopped is set aside when it outgrows it once more (`pauseBeyondLimits`). */
function standingOf({ stops }: RunState, { reason, executionId, graceUntil }: Paused): Pause['standing'] {
  if (reason === 'requested') return graceUntil === null ? 'aside' : 'stop';
  if (reason === 'crash-limit' || (reason === 'limit' && stops > 0)) return 'aside';
  return isAuthors(reason) || executionId !== null ? 'people' : 'stop';
}

function isAuthors(reason: Paused['reason']): boolean {
  return reason === 'before' || reason === 'after';
}

function afterwards({ scopes }: RunState, { path, scope, reason }: Paused): Cursor {
  if (reason === 'before') return admitted(path);
  const cursor = scopes.get(scope)?.cursor;
  return { phase: 'left', path, metadata: cursor?.phase === 'ended' ? cursor.metadata : null };
}

/** Where the thread comes to the pause again. */
function inFrontOf({ path }: Pause, then: Cursor): Cursor {
  return then.phase === 'left'
    ? { phase: 'ended', path, metadata: then.metadata }
    : { phase: 'entering', path };
}

function lift(draft: Draft, pauseId: number): void {
  const lifted = pauseOf(draft, pauseId);
  if (lifted === undefined) return;
  closeWait(draft, lifted);
  if (lifted.executionId !== null) holdCall(draft, lifted.executionId, null);
  if (lifted.then !== null) moveCursor(draft, lifted.scope, lifted.then);
}

function resumeFrom(
  turn: WaitTurn<PauseEvent>,
  { id: pauseId, standing, executionId, scope }: Pause,
  by: Actor,
  given: RunBudget | null,
): void {
  const aside = standing === 'aside' ? ({ wasAside: true } as const) : {};
  const budget = newBudget(turn.state.budget, given);
  turn.emit({ type: 'resumed', pauseId, executionId, ...aside, ...budget, by });
  if (standing === 'stop' || standing === 'aside') turn.visitAll();
  else turn.ready.add(scope);
}

/** Whether a request to pause it would do anything: it moves, or runs that it waits for went on without it. */
export function canBePaused(state: RunState): boolean {
  if (state.phase !== 'live' || state.cancelling !== null) return false;
  return !isStopped(state) || (isPausedOnRequest(state) && hasChildrenToPause(state));
}

/** A run that stands still, or comes to its end, is not paused once more; what went on below it is. */
function pauseOnRequest(
  turn: WaitTurn<PauseEvent>,
  { by, graceMs }: PauseSignal & { readonly type: 'pause' },
): void {
  if (!canBePaused(turn.state)) return;
  if (!isStopped(turn.state)) standStill(turn, by, graceMs, null);
  pauseFamily(turn, by);
}

function standStill(turn: WaitTurn<PauseEvent>, by: Actor, graceMs: number, orderSeq: number | null): void {
  const { state, at } = turn;
  const place = { path: rootPath(state), scope: ROOT_SCOPE, unitId: '' };
  const hasGrace = graceMs > 0 && !isSetAside(state) && hasOpenExecution(state);
  const graceUntil = hasGrace ? at + graceMs : null;
  const followed = orderSeq === null ? {} : { orderSeq };
  turn.emit({
    type: 'paused',
    ...place,
    reason: 'requested',
    executionId: null,
    by,
    graceUntil,
    ...followed,
  });
}

function pauseFamily(turn: WaitTurn<PauseEvent>, by: Actor): void {
  if (hasChildrenToPause(turn.state)) turn.emit({ type: 'family-paused', by });
}

/** As long as the run itself stands still on request, those that it waits for do. `own`: of what is given, what it takes. */
function resumeFamily(
  turn: WaitTurn<PauseEvent>,
  { by, seenSeq, budget: given = null }: Omit<PauseSignal & { readonly type: 'resume-family' }, 'type'>,
  own = given,
): void {
  const { state } = turn;
  if (state.phase !== 'live' || state.cancelling !== null || isPausedOnRequest(state)) return;
  if (!hasChildrenToResume(state, seenSeq)) return;
  const asked = given === null ? {} : { given };
  turn.emit({ type: 'family-resumed', seenSeq, ...newBudget(state.budget, own), ...asked, by });
}

function follow(
  turn: WaitTurn<PauseEvent>,
  { order, graceMs }: PauseSignal & { readonly type: 'follow' },
): void {
  const { state } = turn;
  if (state.phase !== 'live' || state.cancelling !== null) return;
  const { by, budget } = order;
  if (order.type === 'pause') {
    if (order.seq <= state.followedSeq) return;
    standStill(turn, by, graceMs, order.seq);
    pauseFamily(turn, by);
    return;
  }
  // A rewind opened pauses anew that an order of before it knew: they are for another request.
  const throughSeq = order.throughSeq < state.rewoundSeq ? 0 : order.throughSeq;
  const lifted = waitsOf<Pause>(state, 'pause').filter(
    ({ id, orderSeq }) => id <= throughSeq || (orderSeq !== null && orderSeq < order.seq),
  );
  const own = inheritedBudget(turn.plan, state, budget, true);
  for (const wait of lifted) resumeFrom(turn, wait, by, own);
  resumeFamily(turn, { by, seenSeq: throughSeq, budget }, own);
}

/** A pause that somebody asked for and that waits for what is in flight; undefined: there is none. */
export function openRequestedPause(state: RunState): Pause | undefined {
  if (state.stops === 0) return undefined;
  return waitsOf<Pause>(state, 'pause').find(
    ({ reason, standing }) => reason === 'requested' && standing === 'stop',
  );
}

/**
 * Seq of the event with which the run last came to a pause, of its own or of a run that it waits for, or back to one by a
 * rewind; 0: none is open. That of its family, which its parent knows of, does not count.
 */
export function stoppedSeqOf({ phase, waits, rewoundSeq }: RunState): number {
  let stoppedSeq = 0;
  if (phase !== 'live') return stoppedSeq;
  waits.forEach((wait) => {
    if (isPause(wait) && wait.orderSeq === null) stoppedSeq = Math.max(stoppedSeq, wait.id, rewoundSeq);
    else if (isChild(wait)) stoppedSeq = Math.max(stoppedSeq, wait.pausedSeq ?? 0);
  });
  return stoppedSeq;
}

/** Whether it stands still with its family: nobody has resumed it by its own address since. */
export function isFollowing(state: RunState): boolean {
  return state.phase === 'live' && waitsOf<Pause>(state, 'pause').some(({ orderSeq }) => orderSeq !== null);
}

/** Whether somebody asked for it to stand still, and nobody has resumed it since. */
export function isPausedOnRequest(state: RunState): boolean {
  return (
    state.stops + state.asides > 0 &&
    waitsOf<Pause>(state, 'pause').some(({ reason }) => reason === 'requested')
  );
}

/** All of them: as long as one is left, the run stands as still as by two. */
export function setPausedAside(turn: WaitTurn<PauseEvent>): void {
  for (let next = openRequestedPause(turn.state); next !== undefined; next = openRequestedPause(turn.state))
    turn.emit({ type: 'set-aside', pauseId: next.id });
}

/** Says it once: what is held already, or stopped, is not held again while the same thing is tried anew. */
function holdUndecided(
  turn: WaitTurn<PauseEvent>,
  { executionId, error }: PauseSignal & { readonly type: 'undecided' },
): void {
  const { state } = turn;
  if (state.phase !== 'live') return;
  if (executionId === null) {
    if (isStopped(state)) return;
    const at = { path: rootPath(state), scope: ROOT_SCOPE, unitId: '' };
    turn.emit({ type: 'paused', ...at, reason: 'undecided', executionId, error });
    return;
  }
  const answered = callOf(state, executionId);
  if (answered === undefined || answered.heldBy !== null) return;
  const { path, scope, unitId } = answered;
  turn.emit({ type: 'paused', path, scope, unitId, reason: 'undecided', executionId, error });
}
