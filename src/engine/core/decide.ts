import { advanceReady, failRun } from './turn/advance.js';
import { UNBOUNDED, type Budget, type Spent } from './turn/limits/budget.js';
import { exceedBudget } from './turn/signals/exceed-budget.js';
import { pauseAtExceededLimit } from './turn/limits/exceeded-limits.js';
import { cancel, endCancelling, settleWhenQuiet } from './turn/signals/cancel.js';
import { NO_LIMITS, type Limits } from './turn/limits/limits.js';
import { compensate } from './turn/signals/compensate.js';
import { beginAsFork } from './turn/signals/begin-as-fork.js';
import { recover } from './turn/signals/recover.js';
import { Turn } from './turn/turn.js';
import type { RunEvent } from './log/event.js';
import type { Failure } from './log/failure.js';
import type { Plan } from './plan/plan.js';
import type { CoreSignal, Continuation, Signal } from './signal.js';
import { ROOT_SCOPE } from './state/scope.js';
import { newBudget } from './state/run-budget.js';
import { RUN_OVERRAN } from './log/failure.js';
import { rootPath, type RunState } from './state/state.js';
import { deadlineOf, isEnding, isSuspended, isStopped } from './state/status.js';
import { suspendPausedRun } from './waits/pause.js';
import { restsOnUndone } from './state/debts/way-back.js';
import { waitsDueBy } from './waits/state-indexes.js';
import { kindOf } from './waits/kinds.js';
import { WAIT_KINDS } from './waits/registry.js';

/** What a signal caused. */
export interface TurnResult {
  /** To append, in one write; empty when the signal is for something that is closed. */
  readonly events: readonly RunEvent[];
  /** The state with the events folded in. */
  readonly state: RunState;
  /** What a preempted turn left to do: send `continue` with it once the events are appended. Null: nothing. */
  readonly continuation: Continuation | null;
  readonly spent: Spent;
  /** What the run failed with, which its log says in one sentence only; null: it did not fail. */
  readonly failure: Failure | null;
}

/**
 * Decides what a signal does to a run. Pure: the same plan, state and signal give the same events. Only here are expressions
 * evaluated and choices made.
 *
 * The budget decides where a turn is preempted, never what follows: with any budget, the turn and those that continue it
 * cause the same events, but for their `at`. Timers are the exception: of several that are due at once, those that the
 * budget leaves over fire at the next wake-up, after what the first ones caused.
 *
 * `isBesidePreempted`: another turn of the run was preempted, and is still to be continued by a signal of its own.
 */
export function decide(
  plan: Plan,
  state: RunState,
  signal: Signal,
  limits: Limits = NO_LIMITS,
  budget: Budget = UNBOUNDED,
  isBesidePreempted = false,
): TurnResult {
  const turn = new Turn(plan, state, instantOf(signal), limits, budget);
  // The log of an imported run was written elsewhere: no signal changes it.
  if (state.isImported)
    return { events: turn.events, state, continuation: null, spent: turn.spent, failure: null };
  take(turn, signal);
  const isAtRest = turn.hasUntoldPause && !movesByItself(turn, isBesidePreempted);
  if (isAtRest) turn.tellPause();
  return {
    events: turn.events,
    state: turn.state,
    continuation: isAtRest ? null : leftOf(turn),
    spent: turn.spent,
    failure: turn.failure,
  };
}

/** What a preempted turn left has its instant for so many ms: a run that computes for minutes took that time, and says so. */
const ONE_INSTANT_MS = 1_000;

function instantOf(signal: Signal): number {
  const began = signal.type === 'continue' ? (signal.continuation?.at ?? signal.at) : signal.at;
  return signal.at - began > ONE_INSTANT_MS ? signal.at : began;
}

function take(turn: Turn, signal: Signal): void {
  HANDLERS.get(signal.type)?.(turn, signal);
  settleWhenQuiet(turn);
  advanceReady(turn, signal.type === 'continue' ? (signal.continuation?.interrupted ?? NONE) : NONE);
  pauseAtExceededLimit(turn);
}

/** What is left to do of the turn; null: nothing. */
function leftOf({ state, continuation }: Turn): Continuation | null {
  return state.phase === 'live' && !isStopped(state) && !isEnding(state) ? continuation : null;
}

/**
 * Whether some thread has still something to do: of this turn, or of another one that was preempted. One step is tried, on a
 * copy. A pause that looks like one is told only where there is none, so that an event follows wherever it is not told.
 */
function movesByItself(turn: Turn, isBesidePreempted: boolean): boolean {
  const { plan, state, at, limits } = turn;
  const left = leftOf(turn);
  if (isStopped(state) || (left === null && !isBesidePreempted)) return false;
  const next = new Turn(plan, state, at, limits, ONE_STEP);
  try {
    take(
      next,
      isBesidePreempted || left === null
        ? { type: 'continue', at }
        : { type: 'continue', at, continuation: left },
    );
  } catch {
    // The turn that continues meets the fault, and what this one did is kept.
    return left !== null;
  }
  return next.events.length > 0 || leftOf(next) !== null;
}

const ONE_STEP: Budget = { steps: 1, chars: 1, events: 1 };
const NONE: readonly never[] = [];

type Handler<S> = (turn: Turn, signal: S) => void;

/** The signals for the run as a whole. Those for a wait are in the file of its kind. */
const CORE_SIGNALS: {
  readonly [T in CoreSignal['type']]: Handler<Signal & { readonly type: T }>;
} = {
  start(turn, { at, runId, namespace, input, labels, by, origin, parent, fork, vars }) {
    if (turn.state.phase !== 'pending') return;
    const { workflowId, hash: definitionHash, workflowMs } = turn.plan;
    turn.emit({
      type: 'run-started',
      runId,
      namespace,
      workflowId,
      definitionHash,
      input,
      labels,
      by,
      origin,
      parent,
      deadlineAt: workflowMs === null ? null : at + workflowMs,
      ...(vars === undefined ? {} : { vars }),
    });
    if (fork === undefined) turn.ready.add(ROOT_SCOPE);
    else beginAsFork(turn, fork, by);
  },
  'timer-due'(turn) {
    const { state, plan, at } = turn;
    if (state.phase !== 'live' || isSuspended(state)) return;
    const deadline = deadlineOf(state);
    if (deadline !== null && deadline <= at) {
      if (state.cancelling !== null) return endCancelling(turn);
      const message = `${RUN_OVERRAN} of ${plan.workflowMs ?? 0} ms`;
      failRun(turn, { code: 'timeout', message, attempts: 0, path: rootPath(state) }, 'overrun');
      return;
    }
    for (const wait of waitsDueBy(state, at)) {
      // The waits that are left stay due, so the run is woken again at once.
      if (turn.isSpent) break;
      // Another one that was due may have closed it.
      if (turn.state.waits.has(wait.id)) kindOf(wait).due?.(turn, wait);
    }
  },
  rewind(turn, { toSeq, baseState, by, budget = null }) {
    // There is no way back into what was undone, also where that happened while the request was on its way.
    if (turn.state.phase === 'pending' || restsOnUndone(baseState, turn.state)) return;
    turn.emit({ type: 'rewound', toSeq, ...newBudget(turn.state.budget, budget), by }, baseState);
    turn.visitAll();
  },
  note(turn, { request }) {
    if (turn.state.phase !== 'pending') turn.emit({ type: 'request-noted', request });
  },
  rejoin: (turn) => {
    const { phase, isOnItsOwn } = turn.state;
    if (phase === 'live' && isOnItsOwn) turn.emit({ type: 'rejoined' });
  },
  cancel,
  compensate,
  'in-flight-ended': (turn) => {
    if (turn.state.phase !== 'live') return;
    if (isEnding(turn.state)) endCancelling(turn);
    else suspendPausedRun(turn);
  },
  recover,
  'budget-exceeded': exceedBudget,
  continue(turn, { continuation }) {
    if (turn.state.phase !== 'live') return;
    if (continuation === undefined) return turn.visitAll();
    turn.visitsAll = true;
    for (const scope of continuation.ready) turn.ready.add(scope);
  },
};

const HANDLERS: ReadonlyMap<string, Handler<Signal>> = new Map(
  [CORE_SIGNALS, ...Object.values(WAIT_KINDS).map(({ signals }) => signals)].flatMap(
    (signals) => Object.entries(signals) as unknown as [string, Handler<Signal>][],
  ),
);
