import { advanceReady } from './turn/advance.js';
import { UNBOUNDED, type Budget, type Spent } from './turn/budget.js';
import { exceedBudget } from './turn/exceed-budget.js';
import { pauseBeyondLimits } from './turn/beyond-limits.js';
import { cancel, endCancelling, settleWhenQuiet } from './turn/cancel.js';
import { NO_LIMITS, type Limits } from './turn/limits.js';
import { beginAsFork } from './turn/begin-as-fork.js';
import { recover } from './turn/recover.js';
import { Turn } from './turn/turn.js';
import type { RunEvent } from './log/event.js';
import type { Plan } from './plan/plan.js';
import type { CoreSignal, Rest, Signal } from './signal.js';
import { ROOT_SCOPE } from './state/scope.js';
import { newBudget } from './state/run-budget.js';
import type { RunState } from './state/state.js';
import { deadlineOf, isEnding, isSetAside, isStopped } from './state/status.js';
import { setPausedAside } from './waits/pause.js';
import { waitsDueBy } from './waits/books.js';
import { kindOf } from './waits/kinds.js';
import { WAIT_KINDS } from './waits/registry.js';

/** What a signal caused. */
export interface TurnResult {
  /** To append, in one write; empty when the signal is for something that is closed. */
  readonly events: readonly RunEvent[];
  /** The state with the events folded in. */
  readonly state: RunState;
  /** The turn was cut short: send `continue` with it once the events are appended. Null: it was not. */
  readonly rest: Rest | null;
  readonly spent: Spent;
}

/**
 * What a signal does to a run. Pure: the same plan, state and signal give the same events. Here, and only
 * here, expressions are evaluated and choices made.
 *
 * The budget cuts the turn where it is spent, never what follows: with any budgets, the turn and those that go on with
 * its rest cause the same events, but for their `at`. Of several timers that are due at once those that the budget leaves
 * fire with the next alarm, behind what the first ones set going.
 */
export function decide(
  plan: Plan,
  state: RunState,
  signal: Signal,
  limits: Limits = NO_LIMITS,
  budget: Budget = UNBOUNDED,
): TurnResult {
  const turn = new Turn(plan, state, signal.at, limits, budget);
  // Its log was written elsewhere: whatever happens here is nothing to it.
  if (state.isImported) return { events: turn.events, state, rest: null, spent: turn.spent };
  HANDLERS.get(signal.type)?.(turn, signal);
  settleWhenQuiet(turn);
  advanceReady(turn, signal.type === 'continue' ? (signal.rest?.interrupted ?? NONE) : NONE);
  pauseBeyondLimits(turn);
  const goesOn = turn.state.phase === 'live' && !isStopped(turn.state) && !isEnding(turn.state);
  return { events: turn.events, state: turn.state, rest: goesOn ? turn.rest : null, spent: turn.spent };
}

const NONE: readonly never[] = [];

type Handler<S> = (turn: Turn, signal: S) => void;

/** What is for the run as a whole. What is for a wait is in the file of its kind. */
const CORE_SIGNALS: {
  readonly [T in CoreSignal['type']]: Handler<Signal & { readonly type: T }>;
} = {
  start(turn, { at, runId, namespace, input, labels, by, origin, parent, fork }) {
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
    });
    if (fork === undefined) turn.ready.add(ROOT_SCOPE);
    else beginAsFork(turn, fork, by);
  },
  'timer-due'(turn) {
    const { state, plan, at } = turn;
    if (state.phase !== 'live' || isSetAside(state)) return;
    const deadline = deadlineOf(state);
    if (deadline !== null && deadline <= at) {
      if (state.cancelling !== null) return endCancelling(turn);
      const error = `The run overran its time-out of ${plan.workflowMs ?? 0} ms`;
      turn.emit({ type: 'run-failed', error });
      return;
    }
    for (const wait of waitsDueBy(state, at)) {
      // What is left is as due as it was: its alarm rings again at once.
      if (turn.isSpent) break;
      kindOf(wait).due?.(turn, wait);
    }
  },
  rewind(turn, { toSeq, prefix, by, budget = null }) {
    if (turn.state.phase === 'pending') return;
    turn.emit({ type: 'rewound', toSeq, ...newBudget(turn.state.budget, budget), by }, prefix);
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
  'in-flight-ended': (turn) => {
    if (turn.state.phase !== 'live') return;
    if (isEnding(turn.state)) endCancelling(turn);
    else setPausedAside(turn);
  },
  recover,
  'budget-exceeded': exceedBudget,
  continue(turn, { rest }) {
    if (turn.state.phase !== 'live') return;
    if (rest === undefined) return turn.visitAll();
    turn.visitsAll = true;
    for (const scope of rest.ready) turn.ready.add(scope);
  },
};

const HANDLERS: ReadonlyMap<string, Handler<Signal>> = new Map(
  [CORE_SIGNALS, ...Object.values(WAIT_KINDS).map(({ signals }) => signals)].flatMap(
    (signals) => Object.entries(signals) as unknown as [string, Handler<Signal>][],
  ),
);
