import { isCheckpoint } from '../../../core/log/checkpoint.js';
import type { RunEvent, RunForked, RunStarted } from '../../../core/log/event.js';
import { problemOfPatch } from '../../../core/plan/patch-keys.js';
import type { Plan } from '../../../core/plan/plan.js';
import { ROOT_SCOPE } from '../../../core/state/scope.js';
import { hasFailedCompensations } from '../../../core/state/debts/compensation-summary.js';
import { evaluateVars } from '../../../core/turn/run-vars.js';
import { isSameJson } from '../../../json/same-json.js';
import type { RunState } from '../../../core/state/state.js';
import { isOver } from '../../../core/state/status.js';
import type { Deadline } from '../../../core/fold/closing/deadlines.js';
import type { Child } from '../../../core/waits/child.js';
import { callOf } from '../../../core/waits/calls.js';
import { executionOf } from '../../../core/waits/execution.js';
import { hasChildrenToPause, hasChildrenToResume } from '../../../core/family/family-orders.js';
import type { Gate } from '../../../core/waits/gate.js';
import { isPausedOnRequest, pauseOf } from '../../../core/waits/pause.js';
import type { Timer } from '../../../core/waits/timer.js';
import { waitOf } from '../../../core/waits/wait-kind.js';
import { faultsOfEdits } from '../../starting/forks/fork-edits.js';

/** The run that an event from outside met. */
export interface MetRun {
  readonly plan: Plan;
  /** The run before the event. */
  readonly before: RunState;
  /** The state of the run that it is a fork of, where it was forked; null: it is none, or begins anew. */
  readonly source: RunState | null;
  /** The whole log. */
  readonly events: readonly RunEvent[];
}

type Rule<E> = (event: E, run: MetRun) => string | null;
type EventOf<T> = Extract<RunEvent, { readonly type: T }>;

const FINE = null;

/** The engine comes to these itself: see `EventFacts`. */
const NEVER = (): string => 'never comes from outside';

/**
 * The rules for events that came from outside: an outcome, a decision, a child notification, what was due, a request of a
 * person, what a setting or a crash of the process made of the run. Each closes or touches what is open, or moves the run as
 * a whole; what an outcome says is believed.
 */
const RULES: { readonly [T in RunEvent['type']]: Rule<EventOf<T>> } = {
  'run-started': problemOfVars,
  'run-forked': problemOfFork,
  'run-imported': () => FINE,
  'request-noted': () => FINE,

  'unit-finished': (event, run) => {
    if (!isOutcomeExpected(event, run)) return 'answers no call that is open';
    const problem = event.patch === null ? null : problemOfPatch(event.patch);
    return problem === null ? FINE : `writes what no unit may write: ${problem}`;
  },
  'unit-attempt-failed': (event, run) =>
    isOutcomeExpected(event, run) ? FINE : 'answers no call that is open',
  'unit-failed': (event, run) => (isOutcomeExpected(event, run) ? FINE : 'answers no call that is open'),
  recovered: ({ executionIds }, run) =>
    isLive(run) && executionIds.every((id) => isCallable(run, id))
      ? FINE
      : 'recovers a call that is not open',
  'budget-exceeded': ({ executionId, unitId }, run) =>
    isCallable(run, executionId) && callOf(run.before, executionId)?.unitId === unitId
      ? FINE
      : 'is of a call that is not open',

  'gate-decided': ({ gateId, unitId, approved, failed, timedOut, at }, { before }) => {
    const gate = openOf<Gate>(before, 'gate', gateId);
    if (gate?.unitId !== unitId) return 'decides no gate that is open';
    if (timedOut === true) {
      const { dueAt, onTimeout } = gate;
      if (dueAt === null || dueAt > at) return 'decides a gate before its time is over';
      if (approved !== (onTimeout === 'approve')) return 'decides what its gate does not ask';
      if (onTimeout === 'fail') return failed ? FINE : 'decides what its gate does not ask';
    }
    return failed === (!approved && gate.onReject === 'fail') ? FINE : 'decides what its gate does not ask';
  },
  'gate-closed': ({ gateId, unitId }, { before, events }) => {
    const opened = events[gateId - 1];
    const isOpen = openOf<Gate>(before, 'gate', gateId) !== undefined;
    return opened?.type === 'gate-opened' && opened.unitId === unitId && !isOpen
      ? FINE
      : 'tells of a gate that did not close';
  },
  'gate-reopened': ({ gateId, unitId }, { before }) =>
    openOf<Gate>(before, 'gate', gateId)?.unitId === unitId ? FINE : 'tells of a gate that is not open',
  'timer-fired': ({ timerId, unitId, at }, { before }) => {
    const timer = openOf<Timer>(before, 'timer', timerId);
    if (timer?.unitId !== unitId) return 'fires no timer that is set';
    return timer.dueAt <= at ? FINE : 'fires before it is due';
  },
  'child-paused': isOfChild,
  'child-went-on': isOfChild,
  'child-ended': isOfChild,
  'child-refused': isOfChild,

  paused: problemOfPause,
  'set-aside': ({ pauseId }, { before }) => {
    const pause = isOver(before) ? undefined : pauseOf(before, pauseId);
    return pause?.reason === 'requested' && pause.standing === 'stop'
      ? FINE
      : 'sets no pause aside that is open';
  },
  resumed: ({ pauseId, executionId }, { before }) => {
    if (pauseId === null) return before.phase === 'failed' ? FINE : 'tries a run again that had not failed';
    const pause = before.phase === 'live' ? pauseOf(before, pauseId) : undefined;
    if (pause === undefined) return 'lifts no pause that is open';
    // The first version of the event did not say what the pause had frozen.
    return executionId === null || executionId === pause.executionId
      ? FINE
      : 'lets go of what its pause does not hold';
  },
  'family-paused': (_event, { before }) =>
    isPausedOnRequest(before) && hasChildrenToPause(before) ? FINE : 'pauses runs that nobody waits for',
  'family-resumed': ({ seenSeq }, { before }) =>
    !isPausedOnRequest(before) && hasChildrenToResume(before, seenSeq)
      ? FINE
      : 'has runs go on that do not stand still',
  rejoined: (_event, { before: { phase, isOnItsOwn } }) =>
    phase === 'live' && isOnItsOwn ? FINE : 'is waited for again, but was all the time',
  rewound: ({ toSeq }, { events }) => {
    const to = events[toSeq - 1];
    return to !== undefined && isCheckpoint(to) ? FINE : 'goes back to no checkpoint';
  },

  'cancel-requested': (_event, { before: { phase, cancelling } }) =>
    (phase === 'live' || phase === 'failed') && cancelling === null
      ? FINE
      : 'cancels what cannot be cancelled',
  'clean-up-started': ({ path }, { plan, before: { phase, cancelling } }) =>
    phase === 'live' && cancelling?.isCleaningUp === false && plan.onCancel?.path === path
      ? FINE
      : 'cleans up where nothing was cancelled',
  'run-cancelled': (_event, { plan, before: { phase } }) =>
    (phase === 'live' || phase === 'failed') && plan.onCancel === null
      ? FINE
      : 'comes before the clean-up of the workflow has ended',

  'unit-scheduled': NEVER,
  'unit-skipped': NEVER,
  'state-written': NEVER,
  'branch-chosen': NEVER,
  'items-opened': NEVER,
  'pass-opened': NEVER,
  'race-entered': NEVER,
  'condition-read': NEVER,
  'branch-closed': NEVER,
  'node-closed': NEVER,
  'gate-opened': NEVER,
  'timer-set': NEVER,
  'child-started': NEVER,
  'compensation-requested': (_event, { before }) =>
    isOver(before) && hasFailedCompensations(before) ? FINE : 'tries again what nothing failed to undo',
  'compensation-started': NEVER,
  'compensation-failed': NEVER,
  'compensation-finished': NEVER,
  'try-entered': NEVER,
  'failure-caught': NEVER,
  'finally-begun': NEVER,
  'try-left': NEVER,
  'deadline-passed': ({ path, scope, at }, { before }) => {
    const open = before.scopes.get(scope)?.tries.get(path);
    const wait = open === undefined ? undefined : openOf<Deadline>(before, 'deadline', open.seq);
    if (wait === undefined) return 'ends no try that has a time-out';
    return wait.dueAt <= at ? FINE : 'ends a try before its time is over';
  },
  unwinding: ({ scope, path, reason }, { before }) => {
    if (scope !== ROOT_SCOPE || path !== '') return 'closes a part of the run, and nothing was due';
    const isMeant = reason === 'cancel' ? before.cancelling !== null : before.activeLimitMs !== null;
    return before.phase === 'live' && isMeant ? FINE : 'closes a run that nothing ends';
  },
  'run-completed': NEVER,
  // The run's time was up, as `isEngineEvent` found.
  'run-failed': () => FINE,
};

/** What is wrong with an event from outside, worded to follow a noun; null: it may have come. */
export function problemOfExternal(event: RunEvent, run: MetRun): string | null {
  return (RULES[event.type] as Rule<RunEvent>)(event, run);
}

function isLive({ before }: MetRun): boolean {
  return before.phase === 'live';
}

/** An outcome counts for the attempt in flight, also where a pause has frozen the call. */
function isOutcomeExpected(
  { executionId, unitId, attempt }: EventOf<'unit-finished' | 'unit-attempt-failed' | 'unit-failed'>,
  run: MetRun,
): boolean {
  const open = isLive(run) ? executionOf(run.before, executionId) : undefined;
  return open?.unitId === unitId && open.attempt === attempt;
}

function isCallable(run: MetRun, executionId: number): boolean {
  return isLive(run) && callOf(run.before, executionId)?.heldBy === null;
}

function openOf<W extends Gate | Timer | Child | Deadline>(
  before: RunState,
  kind: W['kind'],
  id: number,
): W | undefined {
  return before.phase === 'live' ? waitOf<W>(before, kind, id) : undefined;
}

function isOfChild(
  {
    childId,
    unitId,
    childRunId,
  }: EventOf<'child-paused' | 'child-went-on' | 'child-ended' | 'child-refused'>,
  { before }: MetRun,
): string | null {
  const child = openOf<Child>(before, 'child', childId);
  const isSame = child?.unitId === unitId && child.childRunId === childRunId;
  return isSame ? FINE : 'is news of no child run that is waited for';
}

/** The pauses of the author are engine events. A pause for any other reason moves no thread. */
function problemOfPause(
  { reason, executionId, path, scope, unitId }: EventOf<'paused'>,
  run: MetRun,
): string | null {
  if (!isLive(run)) return 'stops a run that is over';
  const mustFreeze = reason === 'recovery-limit' || reason === 'budget';
  if (executionId === null) {
    const isOfRun = !mustFreeze && scope === ROOT_SCOPE && unitId === '';
    return isOfRun ? FINE : 'holds no call';
  }
  const frozenCall = isCallable(run, executionId) ? callOf(run.before, executionId) : undefined;
  const isThere = frozenCall?.path === path && frozenCall.scope === scope && frozenCall.unitId === unitId;
  return isThere && (mustFreeze || reason === 'undecided') ? FINE : 'holds a call that is not open there';
}

/** What is wrong with the beginning of a fork, worded to follow a noun; null: a request for a fork can have led to it. */
function problemOfFork(
  { fromSeq, before, edits: { state, unitInput } }: RunForked,
  { plan, source }: { readonly plan: Plan; readonly source: RunState | null },
): string | null {
  if (source !== null) {
    if (source.cancelling !== null) return 'begins where its source was being cancelled';
    if (before === undefined && source.checkpoint !== fromSeq) return 'begins at no checkpoint of its source';
  }
  if (unitInput !== undefined && before === undefined) return 'gives an input to no unit';
  const [fault] = faultsOfEdits({ state, unitInput }, { plan, before });
  return fault === undefined ? null : `has an edit that no fork may have: ${fault.message}`;
}

/** A fork may keep the vars of its source, which are of another log: then only their names are known. */
function problemOfVars(
  { runId, workflowId, input, at, origin, vars = {} }: RunStarted,
  { plan }: MetRun,
): string | null {
  const names = plan.vars.map(({ name }) => name);
  if (!isSameJson(Object.keys(vars).toSorted(), names.toSorted()))
    return 'has vars that its workflow has not';
  if (names.length === 0 || origin.type === 'fork') return FINE;
  const result = evaluateVars(plan, { input, run: { runId, workflowId, createdAt: at } });
  return result.ok && isSameJson(result.vars, vars) ? FINE : 'has vars that do not follow from its input';
}
