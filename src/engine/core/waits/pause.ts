import { anonymous, type Actor } from '../log/actor.js';
import type { EventBase, Place } from '../log/event-base.js';
import { goOnAlone } from '../fold/go-on-alone.js';
import { retryFailedThreads } from '../fold/retry.js';
import { moveCursor } from '../fold/scopes.js';
import { admitted, ROOT_SCOPE, type Cursor } from '../state/scope.js';
import { newBudget, type RunBudget } from '../state/run-budget.js';
import { rootPath, type Draft, type RunState } from '../state/state.js';
import { isStopped } from '../state/status.js';
import type { Wait } from '../state/wait.js';
import { changeWait, closeWait, openWait } from './books.js';
import { executionOf, hasOpenExecution, holdExecution } from './execution.js';
import { waitOf, waitsOf, type Message, type WaitKind, type WaitTurn } from './wait-kind.js';

/**
 * A person has to say that the run goes on. A pause stands in the way of one thread (`before`, `after`), of one
 * execution, which it holds, or else of the whole run: then what happens is recorded, but no thread advances, and of a run
 * that is set aside nothing is called or woken either.
 */
export interface Pause extends Wait {
  readonly kind: 'pause';
  readonly reason: Paused['reason'];
  /** The execution that it holds; null: none. */
  readonly executionId: number | null;
  /** Where the thread goes on once it is lifted; null: it stands at no thread. */
  readonly then: Cursor | null;
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
  /** The execution that is held back (`recovery-limit`, `undecided`, `budget`); null: none is. */
  readonly executionId: number | null;
  /** What is wrong and what to do; not with the pauses that somebody wanted. */
  readonly error?: string;
  /** Who asked for it (`requested`). */
  readonly by?: Actor;
  /** Epoch ms until which what is in flight may come to its end (`requested`); null: nothing is, so it is set aside. */
  readonly graceUntil?: number | null;
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
  | { readonly type: 'pause'; readonly by: Actor; readonly graceMs: number };

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

export function pauseOf(state: RunState, id: number): Pause | undefined {
  return waitOf<Pause>(state, 'pause', id);
}

/** The ids of the open pauses, in the order in which they opened. */
export function openPausesOf(state: RunState): readonly number[] {
  return waitsOf<Pause>(state, 'pause').map(({ id }) => id);
}

type PauseEvent = Paused | SetAside | Resumed;

export const pause: WaitKind<Pause, PauseEvent, PauseSignal, AwaitResume, PauseMessage> = {
  kind: 'pause',
  events: {
    paused: {
      // Version 1 said no more than the reason.
      upcasts: [(event) => event],
      isCheckpoint: true,
      fold: open,
      messages: ({ at: timestamp, reason, unitId, error, by }) => {
        const said = by === undefined ? error : `Paused by ${by.id}`;
        return said === undefined ? [] : [{ type: 'run-paused', timestamp, reason, unitId, error: said }];
      },
      touches: ({ seq }) => [seq],
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
      touches: ({ executionId }) => (executionId === null ? [] : [executionId]),
      sweeps: ({ pauseId }) => pauseId === null,
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
      if (lifted === undefined) return;
      const aside = lifted.standing === 'aside' ? ({ wasAside: true } as const) : {};
      const { executionId } = lifted;
      turn.emit({ type: 'resumed', pauseId, executionId, ...aside, ...newBudget(state.budget, given), by });
      if (lifted.standing === 'stop' || lifted.standing === 'aside') turn.visitAll();
      else turn.ready.add(lifted.scope);
    },
    undecided: holdUndecided,
    pause: pauseOnRequest,
  },
  due: (turn, { id: pauseId }) => turn.emit({ type: 'set-aside', pauseId }),
  asks: ({ id: pauseId }) => ({ type: 'await-resume', pauseId }),
  parked: ({ then }) => then,
  rewound: ({ id, then }, toSeq) => (then === null || id === toSeq ? then : 'stays'),
  forked: (wait, passed) =>
    wait.then === null || wait.id === passed ? wait.then : inFrontOf(wait, wait.then),
};

function open(draft: Draft, event: Paused): void {
  const { seq: id, path, scope, unitId, reason, executionId } = event;
  const isAuthors = reason === 'before' || reason === 'after';
  const then = isAuthors ? afterwards(draft, event) : null;
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
  };
  openWait(draft, opened);
  if (executionId !== null) holdExecution(draft, executionId, id);
  if (then !== null) moveCursor(draft, scope, { phase: 'waiting', path, id });
}

/** A run that a limit stopped is set aside when it outgrows it once more (`pauseBeyondLimits`). */
function standingOf({ stops }: RunState, { reason, executionId, graceUntil }: Paused): Pause['standing'] {
  if (reason === 'requested') return graceUntil === null ? 'aside' : 'stop';
  if (reason === 'crash-limit' || (reason === 'limit' && stops > 0)) return 'aside';
  return reason === 'before' || reason === 'after' || executionId !== null ? 'people' : 'stop';
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
  if (lifted.executionId !== null) holdExecution(draft, lifted.executionId, null);
  if (lifted.then !== null) moveCursor(draft, lifted.scope, lifted.then);
}

/** A run that stands still, or comes to its end, is not paused once more. */
function pauseOnRequest(
  turn: WaitTurn<PauseEvent>,
  { by, graceMs }: PauseSignal & { readonly type: 'pause' },
): void {
  const { state, at } = turn;
  if (state.phase !== 'live' || state.cancelling !== null || isStopped(state)) return;
  const place = { path: rootPath(state), scope: ROOT_SCOPE, unitId: '' };
  const graceUntil = graceMs > 0 && hasOpenExecution(state) ? at + graceMs : null;
  turn.emit({ type: 'paused', ...place, reason: 'requested', executionId: null, by, graceUntil });
}

/** The pause that somebody asked for and that waits for what is in flight; undefined: there is none. */
export function openRequestedPause(state: RunState): Pause | undefined {
  if (state.stops === 0) return undefined;
  return waitsOf<Pause>(state, 'pause').find(
    ({ reason, standing }) => reason === 'requested' && standing === 'stop',
  );
}

/** Whether somebody asked for it to stand still, and nobody has resumed it since. */
export function isPausedOnRequest(state: RunState): boolean {
  return (
    state.stops + state.asides > 0 &&
    waitsOf<Pause>(state, 'pause').some(({ reason }) => reason === 'requested')
  );
}

export function setPausedAside(turn: WaitTurn<PauseEvent>): void {
  const requested = openRequestedPause(turn.state);
  if (requested !== undefined) turn.emit({ type: 'set-aside', pauseId: requested.id });
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
  const answered = executionOf(state, executionId);
  if (answered === undefined || answered.heldBy !== null) return;
  const { path, scope, unitId } = answered;
  turn.emit({ type: 'paused', path, scope, unitId, reason: 'undecided', executionId, error });
}
