import type { JsonValue } from '../json.js';
import { approximateChars } from '../json-size.js';
import type { Usage } from '../log/event-base.js';
import { finishUnit, moveCursor } from '../fold/scopes.js';
import { ownInput } from '../state/execution-input.js';
import { admitted, type Retry } from '../state/scope.js';
import type { Draft, RunState } from '../state/state.js';
import type { Wait } from '../state/wait.js';
import { errorText } from '../turn/error-text.js';
import { changeWait, closeWait, openWait } from './books.js';
import type { ChildEnded, ChildEvent, ChildMessage, ChildNamed, ChildSignal } from './child-events.js';
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
  /** Where it is tried again: seq of its last event when it had failed. That failure is known; 0: none is. */
  readonly toldSeq: number;
  readonly standing: 'in-flight' | 'people';
}

/** Start it unless that is done, and tell how it stands. */
export interface SeeToChild {
  readonly type: 'see-to-child';
  readonly child: Child;
}

const NOTHING: Usage = { tokens: 0, cost: 0 };

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

const events: EventKinds<ChildEvent, ChildMessage> = {
  'child-started': {
    upcasts: [],
    fold(draft, event) {
      const { seq: id, path, scope, unitId, workflowId, childRunId, key } = event;
      const { counted = NOTHING, toldSeq = 0 } = event;
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
    fold: (draft, { childId }) => stand(draft, childId, 'people'),
    messages: ({ at: timestamp, unitId, childRunId }) => [
      { type: 'child-paused', timestamp, unitId, childRunId },
    ],
  },
  'child-went-on': {
    upcasts: [],
    fold: (draft, { childId }) => stand(draft, childId, 'in-flight'),
  },
  'child-ended': { upcasts: [], isCheckpoint: true, fold: end, messages: told },
  'child-refused': {
    upcasts: [],
    isCheckpoint: true,
    fold: (draft, { childId, error }) => fail(draft, waitOf<Child>(draft, 'child', childId), error, null),
    messages: ({ at: timestamp, unitId, error }) => [
      { type: 'unit-failed', timestamp, unitId, attempt: 1, error },
    ],
  },
};

/** `builtin.workflow`. */
export const child: WaitKind<Child, ChildEvent, ChildSignal, SeeToChild, ChildMessage> = {
  kind: 'child',
  events,
  signals: {
    'child-stands'(turn, signal) {
      const open = openChild(turn, signal);
      if (open === undefined || (open.standing === 'people') === signal.isPaused) return;
      turn.emit({ type: signal.isPaused ? 'child-paused' : 'child-went-on', ...named(open) });
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
      turn.emit({ type: 'child-refused', ...named(open), error });
      turn.ready.add(open.scope);
    },
  },
  asks: (wait) => ({ type: 'see-to-child', child: wait }),
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
  return {
    tokens: Math.max(0, usage.tokens - counted.tokens),
    cost: Math.max(0, usage.cost - counted.cost),
  };
}

function stand(draft: Draft, childId: number, standing: Child['standing']): void {
  const open = waitOf<Child>(draft, 'child', childId);
  if (open !== undefined) changeWait(draft, open, { ...open, standing } as Child);
}

function end(draft: Draft, event: ChildEnded): void {
  const { seq, childId, status, output, error, usage, childSeq, decided } = event;
  const open = waitOf<Child>(draft, 'child', childId);
  if (open === undefined) return;
  draft.usage = sumOf(draft.usage, usage);
  if (decided !== undefined) {
    const { unitId, childRunId: runId } = open;
    draft.decisions = draft.decisions.set(childId, { unitId, ...decided, runId });
  }
  if (status !== 'completed') {
    const toGoOn = status === 'failed' ? { usage, childSeq } : null;
    return fail(draft, open, error ?? '', toGoOn);
  }
  closeWait(draft, open);
  finishUnit(draft, open, seq, [[`output.${open.unitId}`, output]]);
}

type Failure = Pick<ChildEnded, 'usage' | 'childSeq'>;

/** `toGoOn`: it is tried again with its parent; null: it is not. */
function fail(draft: Draft, open: Child | undefined, error: string, toGoOn: Failure | null): void {
  if (open === undefined) return;
  closeWait(draft, open);
  const { scope, path } = open;
  const retry = toGoOn === null ? null : retryOf(open, toGoOn);
  moveCursor(draft, scope, { phase: 'failed', path, error, retry });
}

/** What the next try takes over, so that the same run is resumed and its usage counted once. */
function retryOf(open: Child, { usage, childSeq }: Failure): Retry {
  const { key, childRunId, workflowId, counted, ...rest } = open;
  const goesOn = { childRunId, workflowId, counted: sumOf(counted, usage), toldSeq: childSeq };
  return { key, settings: null, ...ownInput(rest), child: goesOn };
}

function sumOf(a: Usage, b: Usage): Usage {
  return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}

function told({ at: timestamp, unitId, childRunId, status, usage }: ChildEnded): ChildMessage[] {
  const messages: ChildMessage[] = [{ type: 'child-ended', timestamp, unitId, childRunId, status }];
  const { tokens, cost } = usage;
  if (tokens > 0 || cost > 0) messages.push({ type: 'cost-update', timestamp, unitId, tokens, cost });
  return messages;
}
