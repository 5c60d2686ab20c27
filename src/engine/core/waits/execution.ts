import type { JsonObject, JsonValue } from '../json.js';
import { isSurelyWithin, approximateChars } from '../json-size.js';
import { catchesFailures, runsWhateverEnds, unitOf } from '../plan/plan.js';
import { finishUnit, moveCursor } from '../fold/scopes.js';
import { continueUndoing } from '../fold/closing/closing.js';
import { endCompensation, forgive, noteFailedCall, owe, tryCompensation } from '../fold/closing/debts.js';
import type { DoneIn } from '../state/debts/debt.js';
import { ownInput } from '../state/execution-input.js';
import type { ScopeId } from '../log/event-base.js';
import { admitted, type OpenFanOut, type Retry } from '../state/scope.js';
import { withUsage } from '../state/run-budget.js';
import type { Draft, RunState } from '../state/state.js';
import { isEnding } from '../state/status.js';
import { dropInput } from '../state/unit-inputs.js';
import type { Wait } from '../state/wait.js';
import { backoffMs } from '../turn/backoff.js';
import { changeWait, closeWait, openWait } from './state-indexes.js';
import { charsOfFinished, charsOfScheduled } from './events/execution-events.js';
import type {
  ExecutionEvent,
  ExecutionMessage,
  ExecutionSignal,
  UnitFinished,
} from './events/execution-events.js';
import { EXECUTION_FACTS } from './events/execution-facts.js';
import type { EventKinds, WaitKind, WaitTurn } from './wait-kind.js';
import { waitOf } from './wait-kind.js';

/**
 * One scheduled execution of a unit whose outcome is not recorded yet. An outcome counts only for the attempt that is in
 * flight; a frozen execution is neither called nor recovered, but its outcome still counts, and ends the pause.
 */
export interface Execution extends Wait {
  readonly kind: 'execution';
  /** Absent: the run's input. */
  readonly input?: JsonValue;
  /** A built-in's settings as evaluated; null: as the plan has them. */
  readonly settings: JsonObject | null;
  /** What its `Idempotency-Key` is derived from: its own id, or that of the execution that it repeats. */
  readonly key: number;
  readonly timeoutMs: number;
  /** The attempt that is in flight or comes next; counts from 1. */
  readonly attempt: number;
  /** Epoch ms before which the attempt must not begin; 0: at once. */
  readonly retryAt: number;
  /** An attempt may have done the work although it failed, so a later try must keep the key. */
  readonly mayBeDone: boolean;
  /** How often it was being called when a process died. */
  readonly recoveries: number;
  /** Another unit can undo it; absent: none can. */
  readonly compensable?: DoneIn;
  /** The execution that it undoes; absent: none. */
  readonly compensates?: number;
}

export interface ExecuteUnit {
  readonly type: 'execute-unit';
  readonly execution: Execution;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Outputs above this many characters of JSON are shown as a reference to the state key. */
const MAX_DATA_CHARS = 4_096;

export function executionOf(state: RunState, id: number): Execution | undefined {
  return waitOf<Execution>(state, 'execution', id);
}

/** Whether any execution may be in flight; only the run's owner knows which of them were called. Looks at all waits. */
export function hasOpenExecution({ waits }: RunState): boolean {
  return waits.some(({ kind, heldBy }) => kind === 'execution' && heldBy === null);
}

/** A frozen execution is not dispatched; releasing it (null) starts the count of its recoveries anew. */
export function freezeExecution(draft: Draft, id: number, heldBy: number | null): void {
  const execution = executionOf(draft, id);
  if (execution === undefined) return;
  changeWait(draft, execution, withActivity({ ...execution, heldBy, recoveries: 0 }));
}

/** The execution with its activity: it waits for its retry, is in flight, or is frozen. */
function withActivity(execution: Omit<Execution, 'standing' | 'dueAt'>): Execution {
  const { heldBy, retryAt } = execution;
  const dueAt = heldBy === null && retryAt > 0 ? retryAt : null;
  return {
    ...execution,
    dueAt,
    standing: heldBy !== null ? 'held' : dueAt === null ? 'in-flight' : 'moving',
  };
}

const events: EventKinds<ExecutionEvent, ExecutionMessage> = {
  'unit-scheduled': {
    facts: EXECUTION_FACTS['unit-scheduled'],
    upcasts: [],
    fold(draft, event) {
      const { seq: id, path, scope, unitId, settings, timeoutMs } = event;
      const execution: Mutable<Execution> = {
        id,
        kind: 'execution',
        path,
        scope,
        unitId,
        dueAt: null,
        heldBy: null,
        standing: 'in-flight',
        chars: event.input === undefined ? 0 : approximateChars(event.input),
        settings,
        timeoutMs,
        key: event.key ?? id,
        attempt: 1,
        retryAt: 0,
        mayBeDone: event.key !== null,
        recoveries: 0,
      };
      if (event.input !== undefined) execution.input = event.input;
      if (event.compensable !== undefined) execution.compensable = event.compensable;
      if (event.compensates !== undefined) execution.compensates = event.compensates;
      openWait(draft, execution);
      if (event.compensates !== undefined) {
        tryCompensation(draft, event.compensates);
        continueUndoing(draft, scope, event.compensates);
      }
      dropInput(draft, execution);
      const over = event.compensates === undefined ? {} : fanOutUnder(draft, scope);
      moveCursor(draft, scope, { phase: 'waiting', path, id, ...over });
    },
    chars: charsOfScheduled,
    touches: ({ seq }) => [seq],
  },
  'unit-attempt-failed': {
    facts: EXECUTION_FACTS['unit-attempt-failed'],
    upcasts: [],
    fold(draft, { executionId, attempt, retryAt, outcome }) {
      const execution = executionOf(draft, executionId);
      if (execution === undefined) return;
      const mayBeDone = execution.mayBeDone || outcome === 'unknown';
      // The outcome of a frozen execution releases it: closing and opening it anew ends the pause.
      if (execution.heldBy !== null) closeWait(draft, execution);
      const next = withActivity({ ...execution, heldBy: null, attempt: attempt + 1, retryAt, mayBeDone });
      if (execution.heldBy !== null) openWait(draft, next);
      else changeWait(draft, execution, next);
    },
    messages: ({ at: timestamp, unitId, attempt, error, retryAt }) => [
      { type: 'unit-retry', timestamp, unitId, attempt, error, delayMs: retryAt - timestamp },
    ],
    touches: ({ executionId }) => [executionId],
  },
  'unit-finished': {
    facts: EXECUTION_FACTS['unit-finished'],
    upcasts: [],
    isCheckpoint: true,
    fold(draft, { seq, executionId, output, patch, usage, metadata }) {
      const execution = executionOf(draft, executionId);
      if (execution === undefined) return;
      closeWait(draft, execution);
      if (usage !== null) {
        const { tokens, cost } = draft.usage;
        draft.usage = { tokens: tokens + usage.tokens, cost: cost + usage.cost };
        draft.largestUsage = withUsage(draft.largestUsage, execution.unitId, usage);
      }
      if (execution.compensates !== undefined) {
        endCompensation(draft, execution.compensates, { status: 'done', error: null });
        return endUndoingCall(draft, execution);
      }
      if (execution.compensable !== undefined) owe(draft, execution, { seq, output, status: 'owed' });
      const writes: [string, JsonValue][] = [[`output.${execution.unitId}`, output]];
      if (patch !== null) writes.push(...Object.entries(patch));
      finishUnit(draft, execution, seq, writes, metadata);
    },
    chars: charsOfFinished,
    messages: messagesOfFinished,
    touches: ({ executionId }) => [executionId],
  },
  'unit-failed': {
    facts: EXECUTION_FACTS['unit-failed'],
    upcasts: [],
    fold(draft, { seq, executionId, attempt, error, outcome, code, status }) {
      const execution = executionOf(draft, executionId);
      if (execution === undefined) return;
      closeWait(draft, execution);
      if (execution.compensates !== undefined) {
        // What follows says that it has failed: `compensation-failed`.
        noteFailedCall(draft, execution.compensates, error);
        return endUndoingCall(draft, execution);
      }
      if (execution.compensable !== undefined && outcome === 'refused') forgive(draft, executionId);
      if (execution.compensable !== undefined && outcome === 'unknown')
        owe(draft, execution, { seq, output: null, status: 'unknown' });
      const retry = outcome === 'unknown' ? retryOf(execution) : null;
      const { path, scope, unitId } = execution;
      const known = status === undefined ? {} : { status };
      const facts = code === undefined ? {} : { facts: { code, unitId, attempts: attempt, ...known } };
      moveCursor(draft, scope, { phase: 'failed', path, error, retry, ...facts });
    },
    messages: ({ at: timestamp, unitId, attempt, error }) => [
      { type: 'unit-failed', timestamp, unitId, attempt, error },
    ],
    touches: ({ executionId }) => [executionId],
  },
  recovered: {
    facts: EXECUTION_FACTS.recovered,
    upcasts: [],
    fold(draft, { executionIds }) {
      for (const id of executionIds) {
        const execution = executionOf(draft, id);
        if (execution === undefined) continue;
        changeWait(draft, execution, withActivity({ ...execution, recoveries: execution.recoveries + 1 }));
      }
    },
    touches: ({ executionIds }) => executionIds,
  },
};

/** A unit that is called, until its last attempt is complete. */
export const execution: WaitKind<Execution, ExecutionEvent, ExecutionSignal, ExecuteUnit, ExecutionMessage> =
  {
    kind: 'execution',
    events,
    signals: {
      'unit-finished'(turn, signal) {
        const open = executionFor(turn.state, signal);
        if (open === undefined) return;
        const { executionId, attempt, output, patch, usage } = signal;
        const { unitId } = open;
        const metadata = whatFlowsRead(signal.metadata);
        turn.emit({ type: 'unit-finished', executionId, unitId, attempt, output, patch, usage, metadata });
        turn.ready.add(open.scope);
      },
      'unit-attempt-failed'(turn, signal) {
        const open = executionFor(turn.state, signal);
        if (open !== undefined) attemptFailed(turn, open, signal);
      },
    },
    unstorable: {
      'unit-finished': ({ executionId, attempt }, reason) => ({
        type: 'unit-attempt-failed',
        executionId,
        attempt,
        error: `its answer cannot be stored: ${reason}`,
        retryable: false,
        outcome: 'unknown',
        retryAfterMs: null,
      }),
      'unit-attempt-failed': ({ executionId }) => ({ freezes: executionId }),
    },
    requiredCommands: (wait) => (wait.heldBy === null ? { type: 'execute-unit', execution: wait } : null),
    parked: (wait) => admitted(wait.path, retryOf(wait)),
    rewound: ({ path }) => admitted(path),
    forked: ({ path }) => admitted(path),
  };

/** What undoes a call runs in the thread that closes something: the child scopes at which it stood are open still. */
function fanOutUnder({ scopes }: RunState, scope: ScopeId): { readonly over?: OpenFanOut } {
  const cursor = scopes.get(scope)?.cursor;
  if (cursor?.phase === 'forked') return { over: cursor };
  const isOver = cursor?.phase === 'unwound' || cursor?.phase === 'waiting';
  return isOver && cursor.over !== undefined ? { over: cursor.over } : {};
}

function endUndoingCall(draft: Draft, { scope, path }: Execution): void {
  moveCursor(draft, scope, { phase: 'unwound', path, ...fanOutUnder(draft, scope) });
}

/** The open execution that an outcome is for; the outcome of an earlier attempt is for none. */
function executionFor(
  state: RunState,
  outcome: { readonly executionId: number; readonly attempt: number },
): Execution | undefined {
  const open = state.phase === 'live' ? executionOf(state, outcome.executionId) : undefined;
  return open?.attempt === outcome.attempt ? open : undefined;
}

function attemptFailed(
  turn: WaitTurn<ExecutionEvent>,
  { unitId, path, scope, mayBeDone }: Execution,
  signal: ExecutionSignal & { readonly type: 'unit-attempt-failed' },
): void {
  const { executionId, attempt, retryable, outcome, retryAfterMs } = signal;
  const { retry } = unitOf(turn.plan, path);
  if (
    retryable &&
    attempt < retry.maxAttempts &&
    !(isEnding(turn.state) && !runsWhateverEnds(turn.plan, path))
  ) {
    const delayMs = retryAfterMs ?? backoffMs(retry, turn.state.runId, executionId, attempt);
    const retryAt = turn.at + delayMs;
    const { error } = signal;
    turn.emit({ type: 'unit-attempt-failed', executionId, unitId, attempt, error, outcome, retryAt });
    return;
  }
  turn.emit({
    type: 'unit-failed',
    executionId,
    unitId,
    attempt,
    error: `Unit ${unitId} failed after ${attempt} attempt(s): ${signal.error}`,
    retryable,
    outcome: mayBeDone ? 'unknown' : outcome,
    ...(catchesFailures(turn.plan) ? caughtAs(signal) : {}),
  });
  turn.ready.add(scope);
}

function caughtAs({ status, isTimeout }: ExecutionSignal & { readonly type: 'unit-attempt-failed' }) {
  const code = isTimeout === true ? ('timeout' as const) : ('unit' as const);
  return status === undefined ? { code } : { code, status };
}

/** The part of a unit's metadata that the log keeps: only what steers flows. */
function whatFlowsRead(metadata: JsonObject | null): JsonObject | null {
  if (metadata === null) return null;
  const { route, delegations } = metadata;
  if (route === undefined && delegations === undefined) return null;
  return { ...(route === undefined ? {} : { route }), ...(delegations === undefined ? {} : { delegations }) };
}

/** What a later execution takes over from one whose outcome is unknown. */
function retryOf({ key, settings, ...rest }: Execution): Retry {
  return { key, settings, ...ownInput(rest) };
}

function messagesOfFinished(event: UnitFinished): ExecutionMessage[] {
  const { at: timestamp, unitId, attempt } = event;
  const data = shortened(event.output, `output.${unitId}`);
  const messages: ExecutionMessage[] = [
    { type: 'unit-output', timestamp, sourceUnitId: unitId, data, attempt },
  ];
  for (const key of Object.keys(event.patch ?? {})) messages.push({ type: 'state-update', timestamp, key });
  if (event.usage !== null) {
    const { tokens, cost } = event.usage;
    messages.push({ type: 'cost-update', timestamp, unitId, tokens, cost });
  }
  return messages;
}

/** The value itself, or `{ ref, chars }`: where in the state it stands and how long it is as JSON. */
function shortened(value: JsonValue, ref: string): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (isSurelyWithin(value, MAX_DATA_CHARS)) return value;
  const chars = JSON.stringify(value).length;
  return chars <= MAX_DATA_CHARS ? value : ({ ref, chars } satisfies JsonObject);
}
