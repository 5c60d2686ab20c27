import { anonymous, type Actor } from '../log/actor.js';
import { continueDetached } from '../fold/continue-detached.js';
import { restartDeadlines } from '../fold/closing/deadlines.js';
import { retryFailedThreads } from '../fold/retry.js';
import { moveCursor } from '../fold/scopes.js';
import { admitted, ROOT_SCOPE, type Cursor } from '../state/scope.js';
import { inheritedBudget } from '../family/inherited-budget.js';
import { newBudget, type RunBudget } from '../state/run-budget.js';
import { rootPath, type Draft, type RunState } from '../state/state.js';
import { isSuspended, isStopped } from '../state/status.js';
import type { Wait } from '../state/wait.js';
import { changeWait, closeWait, openWait } from './state-indexes.js';
import { callOf, freezeCall } from './calls.js';
import { isChild } from './child.js';
import { hasOpenExecution } from './execution.js';
import {
  FAMILY_EVENTS,
  hasChildrenToPause,
  hasChildrenToResume,
  type FamilyEvent,
} from '../family/family-orders.js';
import type {
  AwaitResume,
  Paused,
  PauseMessage,
  PauseSignal,
  Resumed,
  Suspension,
} from './events/pause-events.js';
import { PAUSE_FACTS } from './events/pause-facts.js';
import { waitOf, waitsOf, type WaitKind, type WaitTurn } from './wait-kind.js';

/**
 * A person has to resume the run. A pause stops one thread (`before`, `after`), one execution, which it freezes, or else the
 * whole run: then what happens is recorded, but no thread advances, and nothing of a suspended run is called or woken
 * either.
 */
export interface Pause extends Wait {
  readonly kind: 'pause';
  readonly reason: Paused['reason'];
  /** The execution, or the child run, that it freezes; null: none. */
  readonly executionId: number | null;
  /** Where the thread continues once the pause is lifted; null: no thread stands at it. */
  readonly then: Cursor | null;
  /** Seq, in the parent's log, of the order to the family that it follows; null: none. */
  readonly orderSeq: number | null;
}

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

type PauseEvent = Paused | Suspension | Resumed | FamilyEvent;

export const pause: WaitKind<Pause, PauseEvent, PauseSignal, AwaitResume, PauseMessage> = {
  kind: 'pause',
  events: {
    ...FAMILY_EVENTS,
    paused: {
      facts: PAUSE_FACTS.paused,
      // Version 1 held no more than the reason.
      upcasts: [(event) => event],
      isCheckpoint: true,
      fold: open,
      messages: ({ at: timestamp, reason, unitId, error, by }) => {
        const said = by === undefined ? error : `Paused by ${by.id}`;
        return said === undefined ? [] : [{ type: 'run-paused', timestamp, reason, unitId, error: said }];
      },
      touches: ({ seq, executionId }) => (executionId === null ? [seq] : [seq, executionId]),
      // A pause of the whole run may suspend it.
      sweeps: ({ reason, executionId }) => executionId === null && !isAuthors(reason),
    },
    'set-aside': {
      facts: PAUSE_FACTS['set-aside'],
      upcasts: [],
      fold(draft, { pauseId }) {
        const before = pauseOf(draft, pauseId);
        if (before !== undefined) changeWait(draft, before, { ...before, standing: 'aside', dueAt: null });
      },
      touches: ({ pauseId }) => [pauseId],
      sweeps: () => true,
    },
    resumed: {
      facts: PAUSE_FACTS.resumed,
      // Version 1 recorded a name at most, and not what the pause had frozen.
      upcasts: [
        (event) => ({ executionId: null, ...event, by: { ...anonymous('unknown', String(event['by'])) } }),
      ],
      fold(draft, { at, pauseId, by, budget }) {
        if (budget !== undefined) draft.budget = budget;
        if (pauseId !== null) return lift(draft, pauseId);
        continueDetached(draft, by);
        draft.phase = 'live';
        draft.error = null;
        retryFailedThreads(draft);
        restartDeadlines(draft, at);
      },
      touches: ({ pauseId, executionId }) => [pauseId, executionId].filter((id) => id !== null),
      sweeps: ({ pauseId }) => pauseId === null,
      // What was open when the run failed, or was suspended, was not acted upon since.
      restates: ({ pauseId, wasAside }) => pauseId === null || wasAside === true,
    },
  },
  signals: {
    resume(turn, { pauseId, by, budget: given = null }) {
      const { state } = turn;
      if (pauseId === null) {
        if (state.phase !== 'failed' || state.isUnwound === true) return;
        turn.emit({ type: 'resumed', pauseId, executionId: null, ...newBudget(state.budget, given), by });
        turn.visitAll();
        return;
      }
      const lifted = state.phase === 'live' ? pauseOf(state, pauseId) : undefined;
      if (lifted !== undefined) resumeFrom(turn, lifted, by, given);
    },
    undecided: freezeUndecided,
    pause: pauseOnRequest,
    'resume-family': (turn, signal) => resumeFamily(turn, signal),
    follow,
  },
  unstorable: {
    resume: 'pauses-run',
    // This pause itself is what could not be stored.
    undecided: () => null,
    pause: 'pauses-run',
    'resume-family': 'pauses-run',
    follow: 'pauses-run',
  },
  due: (turn, { id: pauseId }) => turn.emit({ type: 'set-aside', pauseId }),
  requiredCommands: ({ id: pauseId }) => ({ type: 'await-resume', pauseId }),
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
    standing: activityOf(draft, event),
    chars: 0,
    reason,
    executionId,
    then,
    orderSeq,
  };
  openWait(draft, opened);
  if (executionId !== null) freezeCall(draft, executionId, id);
  if (then !== null) moveCursor(draft, scope, { phase: 'waiting', path, id });
}

/** A run that was stopped at a limit is suspended when it exceeds it once more (`pauseAtExceededLimit`). */
function activityOf({ stops }: RunState, { reason, executionId, graceUntil }: Paused): Pause['standing'] {
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

/** The cursor from which the thread comes to the pause again. */
function inFrontOf({ path }: Pause, then: Cursor): Cursor {
  return then.phase === 'left'
    ? { phase: 'ended', path, metadata: then.metadata }
    : { phase: 'entering', path };
}

function lift(draft: Draft, pauseId: number): void {
  const lifted = pauseOf(draft, pauseId);
  if (lifted === undefined) return;
  closeWait(draft, lifted);
  if (lifted.executionId !== null) freezeCall(draft, lifted.executionId, null);
  if (lifted.then !== null) moveCursor(draft, lifted.scope, lifted.then);
}

function resumeFrom(
  turn: WaitTurn<PauseEvent>,
  { id: pauseId, standing, executionId, scope }: Pause,
  by: Actor,
  given: RunBudget | null,
): void {
  const suspended = standing === 'aside' ? ({ wasAside: true } as const) : {};
  const budget = newBudget(turn.state.budget, given);
  turn.emit({ type: 'resumed', pauseId, executionId, ...suspended, ...budget, by });
  if (standing === 'stop' || standing === 'aside') turn.visitAll();
  else turn.ready.add(scope);
}

/** Whether a request to pause the run has any effect: it moves, or runs that it waits for continued without it. */
export function canBePaused(state: RunState): boolean {
  if (state.phase !== 'live' || state.cancelling !== null) return false;
  return !isStopped(state) || (isPausedOnRequest(state) && hasChildrenToPause(state));
}

/** A run that is stopped already is not paused once more, but runs below it that continued are. */
function pauseOnRequest(
  turn: WaitTurn<PauseEvent>,
  { by, graceMs }: PauseSignal & { readonly type: 'pause' },
): void {
  if (!canBePaused(turn.state)) return;
  if (!isStopped(turn.state)) pauseRun(turn, by, graceMs, null);
  pauseFamily(turn, by);
}

function pauseRun(turn: WaitTurn<PauseEvent>, by: Actor, graceMs: number, orderSeq: number | null): void {
  const { state, at } = turn;
  const location = { path: rootPath(state), scope: ROOT_SCOPE, unitId: '' };
  const hasGrace = graceMs > 0 && !isSuspended(state) && hasOpenExecution(state);
  const graceUntil = hasGrace ? at + graceMs : null;
  const followed = orderSeq === null ? {} : { orderSeq };
  turn.emit({
    type: 'paused',
    ...location,
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

/**
 * While the run itself is paused on request, so are those that it waits for. `own`: the part of the budget that it takes.
 */
function resumeFamily(
  turn: WaitTurn<PauseEvent>,
  { by, seenSeq, budget: given = null }: Omit<PauseSignal & { readonly type: 'resume-family' }, 'type'>,
  own = given,
): void {
  const { state } = turn;
  if (state.phase !== 'live' || state.cancelling !== null || isPausedOnRequest(state)) return;
  if (!hasChildrenToResume(state, seenSeq)) return;
  const requested = given === null ? {} : { given };
  turn.emit({ type: 'family-resumed', seenSeq, ...newBudget(state.budget, own), ...requested, by });
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
    pauseRun(turn, by, graceMs, order.seq);
    pauseFamily(turn, by);
    return;
  }
  // A rewind reopened pauses that an earlier order knew of: they are for another request.
  const throughSeq = order.throughSeq < state.rewoundSeq ? 0 : order.throughSeq;
  const lifted = waitsOf<Pause>(state, 'pause').filter(
    ({ id, orderSeq }) => id <= throughSeq || (orderSeq !== null && orderSeq < order.seq),
  );
  const own = inheritedBudget(turn.plan, state, budget, true);
  for (const wait of lifted) resumeFrom(turn, wait, by, own);
  resumeFamily(turn, { by, seenSeq: throughSeq, budget }, own);
}

/** A requested pause that waits for what is in flight; undefined: there is none. */
export function openRequestedPause(state: RunState): Pause | undefined {
  if (state.stops === 0) return undefined;
  return waitsOf<Pause>(state, 'pause').find(
    ({ reason, standing }) => reason === 'requested' && standing === 'stop',
  );
}

/**
 * Seq of the event with which the run last came to a pause, of its own or of a run that it waits for, or back to one by a
 * rewind; 0: none is open. A pause of its family, which its parent knows of, does not count.
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

/** Whether the run is paused with its family, and was not resumed by its own address since. */
export function isFollowing(state: RunState): boolean {
  return state.phase === 'live' && waitsOf<Pause>(state, 'pause').some(({ orderSeq }) => orderSeq !== null);
}

/** Whether the run was paused on request, and was not resumed since. */
export function isPausedOnRequest(state: RunState): boolean {
  return (
    state.stops + state.suspensions > 0 &&
    waitsOf<Pause>(state, 'pause').some(({ reason }) => reason === 'requested')
  );
}

/** Suspends the run by all of its requested pauses: as long as one is left, the run stays as suspended as by two. */
export function suspendPausedRun(turn: WaitTurn<PauseEvent>): void {
  for (let next = openRequestedPause(turn.state); next !== undefined; next = openRequestedPause(turn.state))
    turn.emit({ type: 'set-aside', pauseId: next.id });
}

/** Pauses once: a call that is frozen, or a run that is stopped, is not paused again while the same thing is tried anew. */
function freezeUndecided(
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
  const call = callOf(state, executionId);
  if (call === undefined || call.heldBy !== null) return;
  const { path, scope, unitId } = call;
  turn.emit({ type: 'paused', path, scope, unitId, reason: 'undecided', executionId, error });
}
