import type { JsonValue } from '../json.js';
import { approximateChars } from '../json-size.js';
import type { Usage } from '../log/event-base.js';
import { finishUnit, moveCursor } from '../fold/scopes.js';
import { ownInput } from '../state/execution-input.js';
import { COST_SLACK, NO_USAGE, withUsage } from '../state/run-budget.js';
import { admitted, type Retry } from '../state/scope.js';
import type { Draft, RunState } from '../state/state.js';
import type { Wait } from '../state/wait.js';
import { errorText } from '../turn/error-text.js';
import { changeWait, closeWait, openWait } from './books.js';
import type {
  ChildEnded,
  ChildEvent,
  ChildMessage,
  ChildNamed,
  ChildPaused,
  ChildSignal,
  ChildWentOn,
  FamilyOrder,
} from './child-events.js';
import { waitOf, type EventKinds, type WaitKind, type WaitTurn } from './wait-kind.js';

/**
 * A run of another workflow, with a record and a log of its own, that a thread waits for. As long as it waits for people
 * so does its parent. What it came to is told by whoever stored it; the first time counts.
 */
export interface Child extends Wait {
  readonly kind: 'child';
  readonly childRunId: string;
  readonly workflowId: string;
  /** Absent: the run's input. */
  readonly input?: JsonValue;
  /** What its id is made of: its own wait's id, or that of the first one where it is tried again. */
  readonly key: number;
  /** What of its usage is counted already. */
  readonly counted: Usage;
  /** Where it is tried again: seq of the event with which it had failed. That failure is known; 0: none is. */
  readonly toldSeq: number;
  /** `held`: nothing is left of the budget of its unit to begin it, or to try it again. */
  readonly standing: 'in-flight' | 'people' | 'held';
  /** Seq of its log's last event when it last told how it stands; 0: it did not. */
  readonly heardSeq: number;
  /** Seq of the event that told of it, while a pause of it is open or it waits for a person otherwise; null: neither. */
  readonly pausedSeq: number | null;
  /** What it was last told to do with the whole family; null: nothing. */
  readonly order: FamilyOrder | null;
  /** It stands still as it was told, but one that it waits for was resumed by its own address since. */
  readonly isApart?: true;
}

type ChildStands = ChildSignal & { readonly type: 'child-stands' };

/** Start it unless that is done, and tell how it stands. */
export interface SeeToChild {
  readonly type: 'see-to-child';
  readonly child: Child;
}

export function childOf(state: RunState, { childRunId, key }: ChildNamed): Child | undefined {
  const known = waitOf<Child>(state, 'child', key);
  if (known?.childRunId === childRunId) return known;
  // Only one that is tried again has another id than its key.
  for (const wait of state.waits.values()) if (isChild(wait) && wait.childRunId === childRunId) return wait;
  return undefined;
}

export function isChild(wait: Wait): wait is Child {
  return wait.kind === 'child';
}

/** One that is held is neither begun nor tried again; null lets it go. */
export function holdChild(draft: Draft, id: number, heldBy: number | null): void {
  const open = waitOf<Child>(draft, 'child', id);
  if (open === undefined) return;
  const held: Child = { ...open, heldBy, standing: heldBy === null ? 'in-flight' : 'held' };
  changeWait(draft, open, held);
}

/** Whether the parent knows already what is told of a child that is not over: how it stands, and what it spent. */
export function isKnownStanding(open: Child, signal: ChildStands): boolean {
  const { standing, heldBy, counted, heardSeq } = open;
  const { isPaused, usage = counted, seq, stoppedSeq } = signal;
  // It told something newer.
  if (seq < heardSeq) return true;
  if (isOnItsWayAgain(open, signal) || hasComeApart(open, signal)) return false;
  if (heldBy !== null || (standing === 'people') !== isPaused) return false;
  // Whoever resumes it by its parent's address means where it stands now.
  if (stoppedSeq > heardSeq) return false;
  // One that moves tells what it spent when it stands, or ends.
  return !isPaused || isNothing(newOf(usage, counted));
}

/** It was told to stand still with its family, did so, and was resumed by its own address since. */
function isOnItsWayAgain(open: Child, signal: ChildStands): boolean {
  return hasFollowed(open, signal) && !signal.isFollowing;
}

/** The same happened to one that it waits for. */
function hasComeApart(open: Child, signal: ChildStands): boolean {
  return hasFollowed(open, signal) && signal.isFollowing && signal.isApart && open.isApart !== true;
}

function hasFollowed({ order }: Child, { followedSeq }: ChildStands): boolean {
  return order?.type === 'pause' && order.seq <= followedSeq;
}

const events: EventKinds<ChildEvent, ChildMessage> = {
  'child-started': {
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
    upcasts: [],
    // Whoever lifts its pauses by the parent's address finds a run that can be resumed.
    isCheckpoint: true,
    fold: (draft, event) =>
      stand(draft, event, {
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
    upcasts: [],
    fold(draft, event) {
      const { childId, childSeq: heardSeq = 0, followedSeq = 0, isStopping } = event;
      const given = waitOf<Child>(draft, 'child', childId)?.order ?? null;
      // It was resumed by its own address: what its family was told is done with.
      const isDone = given?.type === 'pause' && given.seq <= followedSeq;
      const pausedSeq = isStopping === true ? event.seq : null;
      stand(draft, event, { standing: 'in-flight', heardSeq, pausedSeq, order: isDone ? null : given });
    },
    messages: ({ at, unitId, usage }) => spent(at, unitId, usage),
  },
  'child-ended': {
    upcasts: [],
    isCheckpoint: true,
    fold: end,
    messages: told,
    touches: ({ childId }) => [childId],
  },
  'child-refused': {
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
      if (open === undefined || isKnownStanding(open, signal)) return;
      const { isPaused, seq: childSeq, stoppedSeq, followedSeq } = signal;
      const usage = newOf(signal.usage ?? open.counted, open.counted);
      const news = { ...named(open), childSeq, ...(isNothing(usage) ? {} : { usage }) };
      const followed = followedSeq > 0 ? { followedSeq } : {};
      if (isPaused) {
        // It waits for people all the same.
        if (isOnItsWayAgain(open, signal))
          turn.emit({ type: 'child-went-on', ...named(open), childSeq, ...followed });
        const apart = hasComeApart(open, signal) ? ({ isApart: true } as const) : {};
        turn.emit({ type: 'child-paused', ...news, ...apart });
      } else {
        if (open.standing !== 'in-flight') turn.emit({ type: 'child-went-on', ...news, ...followed });
        if (stoppedSeq === 0) return;
        turn.emit({ type: 'child-went-on', ...named(open), childSeq, ...followed, isStopping: true });
      }
    },
    'child-ended'(turn, signal) {
      const open = openChild(turn, signal);
      if (open === undefined) return;
      const { status, output, seq: childSeq } = signal;
      // Late news of the failure after which it is tried again.
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
      // What it has done is not to be done twice.
      const isKept = open.id !== open.key && isLost !== true;
      const how = { ...(isKept ? { isKept } : {}), ...(again === true ? { again } : {}) };
      turn.emit({ type: 'child-refused', ...named(open), error, ...how });
      turn.ready.add(open.scope);
    },
  },
  // While its family stands still, none is begun or tried again.
  asks: (wait) =>
    wait.heldBy === null && wait.order?.type !== 'pause' ? { type: 'see-to-child', child: wait } : null,
  // A child that nobody waits for is cancelled: whoever takes the thread up again begins another.
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
    // Not what adding and taking away fractions leaves behind.
    cost: cost > usage.cost * COST_SLACK ? cost : 0,
  };
}

function stand(
  draft: Draft,
  { childId, usage = NO_USAGE }: ChildPaused | ChildWentOn,
  how: Pick<Child, 'standing' | 'heardSeq' | 'pausedSeq'> & Partial<Child>,
): void {
  const open = waitOf<Child>(draft, 'child', childId);
  if (open === undefined) return;
  const counted = isNothing(usage) ? open.counted : sumOf(open.counted, usage);
  if (counted !== open.counted) draft.usage = sumOf(draft.usage, usage);
  const stands: Child = { ...open, heldBy: null, counted, ...how };
  if (open.heldBy === null) return changeWait(draft, open, stands);
  // Somebody else had it go on: closing and opening it anew ends the pause that held it.
  closeWait(draft, open);
  openWait(draft, stands);
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
    const toGoOn = status === 'failed' ? { counted, toldSeq: childSeq } : null;
    return fail(draft, open, error ?? '', toGoOn);
  }
  closeWait(draft, open);
  finishUnit(draft, open, seq, [[`output.${open.unitId}`, output]]);
}

type Failure = Pick<Child, 'counted' | 'toldSeq'>;

/** `toGoOn`: it is tried again with its parent; null: it is not. */
function fail(draft: Draft, open: Child, error: string, toGoOn: Failure | null): void {
  closeWait(draft, open);
  const { scope, path } = open;
  const retry = toGoOn === null ? null : retryOf(open, toGoOn);
  moveCursor(draft, scope, { phase: 'failed', path, error, retry });
}

/** What the next try takes over, so that the same run is resumed and its usage counted once. */
function retryOf({ key, childRunId, workflowId, ...rest }: Child, { counted, toldSeq }: Failure): Retry {
  const goesOn = { childRunId, workflowId, counted, toldSeq };
  return { key, settings: null, ...ownInput(rest), child: goesOn };
}

function sumOf(a: Usage, b: Usage): Usage {
  return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}

function isNothing({ tokens, cost }: Usage): boolean {
  return tokens === 0 && cost === 0;
}

function told({ at: timestamp, unitId, childRunId, status, usage }: ChildEnded): ChildMessage[] {
  return [{ type: 'child-ended', timestamp, unitId, childRunId, status }, ...spent(timestamp, unitId, usage)];
}

function spent(timestamp: number, unitId: string, usage: Usage = NO_USAGE): ChildMessage[] {
  return isNothing(usage) ? [] : [{ type: 'cost-update', timestamp, unitId, ...usage }];
}
