import type { JsonValue } from '../json.js';
import { approximateChars } from '../json-size.js';
import type { Usage } from '../log/event-base.js';
import { forgive, owe } from '../fold/closing/debts.js';
import { finishUnit, moveCursor } from '../fold/scopes.js';
import type { DoneIn } from '../state/debts/debt.js';
import { ownInput } from '../state/execution-input.js';
import { COST_SLACK, NO_USAGE, withUsage } from '../state/run-budget.js';
import { admitted, type Retry } from '../state/scope.js';
import type { Draft, RunState } from '../state/state.js';
import type { Wait } from '../state/wait.js';
import { errorText } from '../turn/failing/error-text.js';
import { changeWait, closeWait, openWait } from './state-indexes.js';
import type {
  ChildEnded,
  ChildEvent,
  ChildMessage,
  ChildNamed,
  ChildPaused,
  ChildSignal,
  ChildWentOn,
  FamilyOrder,
} from './events/child-events.js';
import { CHILD_FACTS } from './events/child-facts.js';
import { waitOf, type EventKinds, type WaitKind, type WaitTurn } from './wait-kind.js';

/**
 * A run of another workflow, with a record and a log of its own, that a thread waits for. As long as it waits for people, so
 * does its parent. The process that stored its end notifies the parent; the first notification counts.
 */
export interface Child extends Wait {
  readonly kind: 'child';
  readonly childRunId: string;
  readonly workflowId: string;
  /** Absent: the run's input. */
  readonly input?: JsonValue;
  /** What its id is derived from: its own wait's id, or that of the first one where it is tried again. */
  readonly key: number;
  /** The part of its usage that is counted already. */
  readonly counted: Usage;
  /** Where it is tried again: seq of the event with which it had failed. That failure is known; 0: none is. */
  readonly toldSeq: number;
  /** `held`: it is frozen, because nothing is left of the budget of its unit to begin it, or to try it again. */
  readonly standing: 'in-flight' | 'people' | 'held';
  /** Seq of its log's last event when it last reported its activity; 0: it did not. */
  readonly heardSeq: number;
  /** Seq of the event that reported it, while a pause of it is open or it waits for a person otherwise; null: neither. */
  readonly pausedSeq: number | null;
  /** What it was last ordered to do with the whole family; null: nothing. */
  readonly order: FamilyOrder | null;
  /** It is paused as ordered, but a run that it waits for was resumed by its own address since. */
  readonly isApart?: true;
  /** Another unit can undo it once it has completed; absent: none can. */
  readonly compensable?: DoneIn;
}

type ChildActivitySignal = ChildSignal & { readonly type: 'child-stands' };

/** Start the child unless that is done, and report its activity. */
export interface SeeToChild {
  readonly type: 'see-to-child';
  readonly child: Child;
}

export function childOf(state: RunState, { childRunId, key }: ChildNamed): Child | undefined {
  const known = waitOf<Child>(state, 'child', key);
  if (known?.childRunId === childRunId) return known;
  // Only a child that is tried again has another id than its key.
  for (const wait of state.waits.values()) if (isChild(wait) && wait.childRunId === childRunId) return wait;
  return undefined;
}

export function isChild(wait: Wait): wait is Child {
  return wait.kind === 'child';
}

/** Freezes the child, which is then neither begun nor tried again; null releases it. */
export function freezeChild(draft: Draft, id: number, heldBy: number | null): void {
  const open = waitOf<Child>(draft, 'child', id);
  if (open === undefined) return;
  const frozen: Child = { ...open, heldBy, standing: heldBy === null ? 'in-flight' : 'held' };
  changeWait(draft, open, frozen);
}

/** Whether the parent already knows what a child that is not over reports: its activity, and what it spent. */
export function isKnownActivity(open: Child, signal: ChildActivitySignal): boolean {
  const { standing, heldBy, counted, heardSeq } = open;
  const { isPaused, usage = counted, seq, stoppedSeq } = signal;
  // The child has reported something newer.
  if (seq < heardSeq) return true;
  if (isOnItsWayAgain(open, signal) || hasComeApart(open, signal)) return false;
  if (heldBy !== null || (standing === 'people') !== isPaused) return false;
  // A resume by the parent's address means the pause at which the child is now.
  if (stoppedSeq > heardSeq) return false;
  // A child that moves reports what it spent when it pauses, or ends.
  return !isPaused || isNothing(newOf(usage, counted));
}

/** The child was ordered to pause with its family, did so, and was resumed by its own address since. */
function isOnItsWayAgain(open: Child, signal: ChildActivitySignal): boolean {
  return hasFollowed(open, signal) && !signal.isFollowing;
}

/** The same happened to a run that the child waits for. */
function hasComeApart(open: Child, signal: ChildActivitySignal): boolean {
  return hasFollowed(open, signal) && signal.isFollowing && signal.isApart && open.isApart !== true;
}

function hasFollowed({ order }: Child, { followedSeq }: ChildActivitySignal): boolean {
  return order?.type === 'pause' && order.seq <= followedSeq;
}

const events: EventKinds<ChildEvent, ChildMessage> = {
  'child-started': {
    facts: CHILD_FACTS['child-started'],
    upcasts: [],
    fold(draft, event) {
      const { seq: id, path, scope, unitId, workflowId, childRunId, key } = event;
      const { counted = NO_USAGE, toldSeq = 0 } = event;
      const started: Child = {
        id,
        kind: 'child',
        path,
        scope,
        unitId,
        dueAt: null,
        heldBy: null,
        standing: 'in-flight',
        chars: event.input === undefined ? 0 : approximateChars(event.input),
        childRunId,
        workflowId,
        ...ownInput(event),
        key: key ?? id,
        counted,
        toldSeq,
        heardSeq: 0,
        pausedSeq: null,
        order: null,
        ...(event.compensable === undefined ? {} : { compensable: event.compensable }),
      };
      openWait(draft, started);
      moveCursor(draft, scope, { phase: 'waiting', path, id });
    },
    messages: ({ at: timestamp, unitId, childRunId, workflowId }) => [
      { type: 'child-started', timestamp, unitId, childRunId, workflowId },
    ],
    touches: ({ seq }) => [seq],
  },
  'child-paused': {
    facts: CHILD_FACTS['child-paused'],
    upcasts: [],
    // A resume by the parent's address, which lifts the child's pauses, needs a run that can be resumed.
    isCheckpoint: true,
    fold: (draft, event) =>
      changeActivity(draft, event, {
        standing: 'people',
        heardSeq: event.childSeq ?? 0,
        pausedSeq: event.seq,
        ...(event.isApart === true ? { isApart: true as const } : {}),
      }),
    messages: ({ at: timestamp, unitId, childRunId, usage }) => [
      { type: 'child-paused', timestamp, unitId, childRunId },
      ...spent(timestamp, unitId, usage),
    ],
  },
  'child-went-on': {
    facts: CHILD_FACTS['child-went-on'],
    upcasts: [],
    fold(draft, event) {
      const { childId, childSeq: heardSeq = 0, followedSeq = 0, isStopping } = event;
      const given = waitOf<Child>(draft, 'child', childId)?.order ?? null;
      // The child was resumed by its own address: the order that its family had is done with.
      const isDone = given?.type === 'pause' && given.seq <= followedSeq;
      const pausedSeq = isStopping === true ? event.seq : null;
      changeActivity(draft, event, {
        standing: 'in-flight',
        heardSeq,
        pausedSeq,
        order: isDone ? null : given,
      });
    },
    messages: ({ at, unitId, usage }) => spent(at, unitId, usage),
  },
  'child-ended': {
    facts: CHILD_FACTS['child-ended'],
    upcasts: [],
    isCheckpoint: true,
    fold: end,
    messages: messagesOfEnd,
    touches: ({ childId }) => [childId],
  },
  'child-refused': {
    facts: CHILD_FACTS['child-refused'],
    upcasts: [],
    isCheckpoint: true,
    fold(draft, { childId, error, isKept, again }) {
      const open = waitOf<Child>(draft, 'child', childId);
      if (open === undefined) return;
      const { counted, toldSeq } = open;
      fail(draft, open, error, isKept === true ? { counted, toldSeq } : null);
      if (again === true) moveCursor(draft, open.scope, admitted(open.path));
    },
    messages: ({ at: timestamp, unitId, error }) => [
      { type: 'unit-failed', timestamp, unitId, attempt: 1, error },
    ],
    touches: ({ childId }) => [childId],
  },
};

/** `builtin.workflow`. */
export const child: WaitKind<Child, ChildEvent, ChildSignal, SeeToChild, ChildMessage> = {
  kind: 'child',
  events,
  signals: {
    'child-stands'(turn, signal) {
      const open = openChild(turn, signal);
      if (open === undefined || isKnownActivity(open, signal)) return;
      const { isPaused, seq: childSeq, stoppedSeq, followedSeq } = signal;
      const usage = newOf(signal.usage ?? open.counted, open.counted);
      const changes = { ...named(open), childSeq, ...(isNothing(usage) ? {} : { usage }) };
      const followed = followedSeq > 0 ? { followedSeq } : {};
      if (isPaused) {
        // The child continued, but waits for people all the same.
        if (isOnItsWayAgain(open, signal))
          turn.emit({ type: 'child-went-on', ...named(open), childSeq, ...followed });
        const apart = hasComeApart(open, signal) ? ({ isApart: true } as const) : {};
        turn.emit({ type: 'child-paused', ...changes, ...apart });
      } else {
        if (open.standing !== 'in-flight') turn.emit({ type: 'child-went-on', ...changes, ...followed });
        if (stoppedSeq === 0) return;
        turn.emit({ type: 'child-went-on', ...named(open), childSeq, ...followed, isStopping: true });
      }
    },
    'child-ended'(turn, signal) {
      const open = openChild(turn, signal);
      if (open === undefined) return;
      const { status, output, seq: childSeq } = signal;
      // A late notification of the failure after which the child is tried again.
      if (status === 'failed' && childSeq <= open.toldSeq) return;
      const error = errorOf(open, signal);
      const usage = newOf(signal.usage, open.counted);
      const decided = signal.decided === undefined ? {} : { decided: signal.decided };
      turn.emit({ type: 'child-ended', ...named(open), status, output, error, usage, childSeq, ...decided });
      turn.ready.add(open.scope);
    },
    'child-refused'(turn, signal) {
      const open = openChild(turn, signal);
      if (open === undefined) return;
      const error = errorText(`Unit ${open.unitId} failed: ${signal.error}`);
      const { again, isLost } = signal;
      // A child that is tried again is kept: what it has done is not to be done twice.
      const isKept = open.id !== open.key && isLost !== true;
      const how = { ...(isKept ? { isKept } : {}), ...(again === true ? { again } : {}) };
      turn.emit({ type: 'child-refused', ...named(open), error, ...how });
      turn.ready.add(open.scope);
    },
  },
  unstorable: {
    'child-stands': 'pauses-run',
    'child-ended': ({ childRunId, key }, reason) => ({
      type: 'child-refused',
      isLost: true,
      childRunId,
      key,
      error: `what the run ${childRunId} came to cannot be stored: ${reason}`,
    }),
    'child-refused': 'pauses-run',
  },
  // While its family is paused, no child is begun or tried again.
  requiredCommands: (wait) =>
    wait.heldBy === null && wait.order?.type !== 'pause' ? { type: 'see-to-child', child: wait } : null,
  // A child that is not waited for any more is cancelled: a thread that is taken up again begins another one.
  parked: ({ path }) => admitted(path),
  rewound: ({ path }) => admitted(path),
  forked: ({ path }) => admitted(path),
  endsWithRun: true,
};

function openChild({ state }: WaitTurn<ChildEvent>, signal: ChildNamed): Child | undefined {
  return state.phase === 'live' ? childOf(state, signal) : undefined;
}

function named({ id: childId, unitId, childRunId }: Child) {
  return { childId, unitId, childRunId };
}

function errorOf(
  { unitId, childRunId, workflowId }: Child,
  { status, error }: ChildSignal & { readonly type: 'child-ended' },
): string | null {
  if (status === 'completed') return null;
  const what = status === 'failed' ? `failed: ${error ?? ''}` : `was cancelled: ${error ?? ''}`;
  return errorText(`Unit ${unitId} failed: the run ${childRunId} of ${workflowId} ${what}`);
}

function newOf(usage: Usage, counted: Usage): Usage {
  const cost = usage.cost - counted.cost;
  return {
    tokens: Math.max(0, usage.tokens - counted.tokens),
    // Rounding errors of adding and subtracting fractions do not count.
    cost: cost > usage.cost * COST_SLACK ? cost : 0,
  };
}

function changeActivity(
  draft: Draft,
  { childId, usage = NO_USAGE }: ChildPaused | ChildWentOn,
  how: Pick<Child, 'standing' | 'heardSeq' | 'pausedSeq'> & Partial<Child>,
): void {
  const open = waitOf<Child>(draft, 'child', childId);
  if (open === undefined) return;
  const counted = isNothing(usage) ? open.counted : sumOf(open.counted, usage);
  if (counted !== open.counted) draft.usage = sumOf(draft.usage, usage);
  const changed: Child = { ...open, heldBy: null, counted, ...how };
  if (open.heldBy === null) return changeWait(draft, open, changed);
  // Something else made it continue: closing and opening it anew ends the pause that froze it.
  closeWait(draft, open);
  openWait(draft, changed);
}

function end(draft: Draft, event: ChildEnded): void {
  const { seq, childId, status, output, error, usage, childSeq, decided } = event;
  const open = waitOf<Child>(draft, 'child', childId);
  if (open === undefined) return;
  draft.usage = sumOf(draft.usage, usage);
  const counted = sumOf(open.counted, usage);
  draft.largestUsage = withUsage(draft.largestUsage, open.unitId, counted);
  if (decided !== undefined) {
    const { unitId, childRunId: runId } = open;
    draft.decisions = draft.decisions.set(childId, { unitId, ...decided, runId });
  }
  if (status !== 'completed') {
    const toContinue = status === 'failed' ? { counted, toldSeq: childSeq } : null;
    return fail(draft, open, error ?? '', toContinue);
  }
  closeWait(draft, open);
  if (open.compensable !== undefined) owe(draft, open, { seq, output, status: 'owed' });
  finishUnit(draft, open, seq, [[`output.${open.unitId}`, output]]);
}

type Failure = Pick<Child, 'counted' | 'toldSeq'>;

/** `toContinue`: the child is tried again with its parent; null: it is not. */
function fail(draft: Draft, open: Child, error: string, toContinue: Failure | null): void {
  closeWait(draft, open);
  // A run that fails, or is cancelled, undoes itself what it did.
  if (open.compensable !== undefined) forgive(draft, open.id);
  const { scope, path } = open;
  const retry = toContinue === null ? null : retryOf(open, toContinue);
  moveCursor(draft, scope, { phase: 'failed', path, error, retry });
}

/** What the next try takes over, so that the same run is resumed and its usage counted once. */
function retryOf({ key, childRunId, workflowId, ...rest }: Child, { counted, toldSeq }: Failure): Retry {
  const toContinue = { childRunId, workflowId, counted, toldSeq };
  return { key, settings: null, ...ownInput(rest), child: toContinue };
}

function sumOf(a: Usage, b: Usage): Usage {
  return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}

function isNothing({ tokens, cost }: Usage): boolean {
  return tokens === 0 && cost === 0;
}

function messagesOfEnd({ at: timestamp, unitId, childRunId, status, usage }: ChildEnded): ChildMessage[] {
  return [{ type: 'child-ended', timestamp, unitId, childRunId, status }, ...spent(timestamp, unitId, usage)];
}

function spent(timestamp: number, unitId: string, usage: Usage = NO_USAGE): ChildMessage[] {
  return isNothing(usage) ? [] : [{ type: 'cost-update', timestamp, unitId, ...usage }];
}
