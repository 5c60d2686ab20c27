import type { RunEvent } from './log/event.js';
import type { JsonValue } from './json.js';
import { isCheckpoint } from './log/checkpoint.js';
import {
  closeBranch,
  closeNode,
  moveCursor,
  openItems,
  retryFailedThreads,
  startRootScope,
  takeRound,
  updateScope,
  writeAll,
} from './fold/evolve-scope.js';
import { restoreRewound } from './fold/evolve-rewind.js';
import { ownInput, retryOf } from './state/execution-input.js';
import type { Retry } from './state/scope.js';
import { ROOT_SCOPE } from './state/scope.js';
import type { Execution, RunState } from './state/state.js';
import { statusOf } from './state/status.js';

/**
 * Folds one event onto the state before it. Never refuses, never computes what is not in the event, never
 * sees the plan: that is what lets a log of last year load today.
 */
export function evolve(state: RunState, event: RunEvent): RunState {
  const applied = apply(state, event);
  // Nobody else holds a state that this fold made, so the last strokes need no copy of their own.
  const next = (applied === state ? { ...state } : applied) as Mutable<RunState>;
  next.seq = event.seq;
  next.updatedAt = event.at;
  if (isCheckpoint(event)) next.checkpoint = event.seq;
  keepTime(next);
  return next;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Folds a log onto a state. */
export function evolveAll(state: RunState, events: Iterable<RunEvent>): RunState {
  let folded = state;
  for (const event of events) folded = evolve(folded, event);
  return folded;
}

/** Starts or stops the clock of time not paused. */
function keepTime(state: Mutable<RunState>): void {
  const isRunning = statusOf(state) === 'running';
  if (isRunning === (state.activeSince !== null)) return;
  if (state.activeSince !== null) state.activeMs += state.updatedAt - state.activeSince;
  state.activeSince = isRunning ? state.updatedAt : null;
}

function apply(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'run-started':
      return {
        ...state,
        runId: event.runId,
        workflowId: event.workflowId,
        definitionHash: event.definitionHash,
        parent: event.parent,
        phase: 'live',
        createdAt: event.at,
        input: event.input,
        activeLimitMs: event.deadlineAt === null ? null : event.deadlineAt - event.at,
        scopes: startRootScope(event.input, event.seq),
      };
    case 'unit-scheduled': {
      const { path, scope, unitId, settings, timeoutMs } = event;
      const execution: Execution = {
        id: event.seq,
        path,
        scope,
        unitId,
        ...ownInput(event),
        settings,
        timeoutMs,
        key: event.key ?? event.seq,
        attempt: 1,
        retryAt: 0,
        mayBeDone: event.key !== null,
        recoveries: 0,
        held: false,
      };
      return moveCursor({ ...state, executions: state.executions.set(event.seq, execution) }, scope, {
        phase: 'executing',
        path,
        id: event.seq,
      });
    }
    case 'unit-attempt-failed': {
      const execution = state.executions.get(event.executionId);
      if (execution === undefined) return state;
      const next = {
        ...execution,
        attempt: event.attempt + 1,
        retryAt: event.retryAt,
        mayBeDone: execution.mayBeDone || event.outcome === 'unknown',
      };
      return { ...state, executions: state.executions.set(execution.id, next) };
    }
    case 'unit-finished': {
      const execution = state.executions.get(event.executionId);
      if (execution === undefined) return state;
      const writes: (readonly [string, JsonValue])[] = [[`output.${execution.unitId}`, event.output]];
      if (event.patch !== null) writes.push(...Object.entries(event.patch));
      const { usage } = event;
      return finishUnit(
        {
          ...state,
          executions: state.executions.delete(execution.id),
          usage:
            usage === null
              ? state.usage
              : { tokens: state.usage.tokens + usage.tokens, cost: state.usage.cost + usage.cost },
        },
        execution,
        event.seq,
        writes,
        event.metadata,
      );
    }
    case 'unit-failed': {
      const execution = state.executions.get(event.executionId);
      if (execution === undefined) return state;
      const { path, scope } = execution;
      const retry: Retry | null = event.outcome === 'unknown' ? retryOf(execution) : null;
      return moveCursor({ ...state, executions: state.executions.delete(execution.id) }, scope, {
        phase: 'failed',
        path,
        error: event.error,
        retry,
      });
    }
    case 'unit-skipped':
      return moveCursor(state, event.scope, { phase: 'left', path: event.path, metadata: null });
    case 'state-written':
      return finishUnit(state, event, event.seq, Object.entries(event.values), null);
    case 'branch-chosen': {
      const { path, scope, branch, task } = event;
      return moveCursor(takeRound(state, scope, path), scope, { phase: 'chosen', path, branch, task });
    }
    case 'items-opened':
      return openItems(state, event);
    case 'condition-read': {
      const { path, again } = event;
      return updateScope(state, event.scope, (scope) => ({
        ...scope,
        passes: again ? scope.passes.set(path, event.iteration + 1) : scope.passes.delete(path),
        cursor: { phase: 'read', path, again },
      }));
    }
    case 'gate-opened': {
      const { path, scope, unitId, title, description, payload, onReject } = event;
      const gate = { path, scope, unitId, title, description, payload, onReject, openedAt: event.at };
      return moveCursor({ ...state, gates: state.gates.set(event.seq, gate) }, scope, {
        phase: 'at-gate',
        path,
        id: event.seq,
      });
    }
    case 'gate-decided': {
      const gate = state.gates.get(event.gateId);
      if (gate === undefined) return state;
      const { approved, responder, comment } = event;
      const decided: RunState = {
        ...state,
        gates: state.gates.delete(event.gateId),
        decisions: state.decisions.set(event.gateId, { unitId: gate.unitId, approved, responder }),
      };
      const output = { approved, responder, decidedAt: event.at, ...(comment === null ? {} : { comment }) };
      const writes: (readonly [string, JsonValue])[] = [
        [`output.${gate.unitId}`, output],
        ['hitl.approved', approved],
        ['hitl.responder', responder],
      ];
      if (!event.failed) return finishUnit(decided, gate, event.seq, writes, null);
      return updateScope(decided, gate.scope, (scope) => ({
        ...scope,
        writes: writeAll(scope.writes, writes, event.seq),
        cursor: {
          phase: 'failed',
          path: gate.path,
          error: `Rejected by ${responder} at gate ${gate.unitId}`,
          retry: null,
        },
      }));
    }
    case 'timer-set': {
      const { path, scope, unitId, dueAt } = event;
      return moveCursor(
        { ...state, timers: state.timers.set(event.seq, { path, scope, unitId, dueAt }) },
        scope,
        {
          phase: 'at-timer',
          path,
          id: event.seq,
        },
      );
    }
    case 'timer-fired': {
      const timer = state.timers.get(event.timerId);
      if (timer === undefined) return state;
      return finishUnit({ ...state, timers: state.timers.delete(event.timerId) }, timer, event.seq, [], null);
    }
    case 'branch-closed':
      return closeBranch(state, event);
    case 'node-closed':
      return closeNode(state, event);
    case 'paused':
      return pause(state, event);
    case 'resumed':
      return event.pauseId === null
        ? retryFailedThreads({ ...state, phase: 'live', error: null })
        : liftPause(state, event.pauseId);
    case 'request-noted':
      return state;
    case 'recovered': {
      let { executions } = state;
      for (const id of event.executionIds) {
        const execution = executions.get(id);
        if (execution !== undefined) {
          executions = executions.set(id, { ...execution, recoveries: execution.recoveries + 1 });
        }
      }
      return { ...state, executions };
    }
    case 'rewound':
      return restoreRewound(state, event);
    case 'run-completed':
      return { ...moveCursor(state, ROOT_SCOPE, null), phase: 'completed' };
    case 'run-failed':
      return { ...state, phase: 'failed', error: event.error };
    case 'run-cancelled':
      return { ...state, phase: 'cancelled', error: `Cancelled by ${event.by}` };
  }
}

/** A unit completed: its writes become the scope's, and the thread leaves it once its `pause: after` is past. */
function finishUnit(
  state: RunState,
  place: { readonly path: string; readonly scope: string; readonly unitId: string },
  seq: number,
  writes: readonly (readonly [string, JsonValue])[],
  metadata: RunEvent & { type: 'unit-finished' } extends { metadata: infer M } ? M : never,
): RunState {
  const moved = updateScope(state, place.scope, (scope) => ({
    ...scope,
    writes: writeAll(scope.writes, writes, seq),
    cursor: { phase: 'ended', path: place.path, metadata },
  }));
  if (moved.completed.has(place.unitId)) return moved;
  return { ...moved, completed: moved.completed.set(place.unitId, seq) };
}

function pause(state: RunState, event: RunEvent & { readonly type: 'paused' }): RunState {
  const { path, scope, unitId, reason, executionId } = event;
  const paused: RunState = {
    ...state,
    pauses: state.pauses.set(event.seq, { path, scope, unitId, reason, executionId }),
  };
  if (executionId !== null) return holdExecution(paused, executionId, true);
  return updateScope(paused, scope, (at) => ({
    ...at,
    cursor: {
      phase: 'paused',
      path,
      id: event.seq,
      then:
        reason === 'before'
          ? { phase: 'admitted', path, retry: null }
          : { phase: 'left', path, metadata: at.cursor.phase === 'ended' ? at.cursor.metadata : null },
    },
  }));
}

function liftPause(state: RunState, pauseId: number): RunState {
  const open = state.pauses.get(pauseId);
  if (open === undefined) return state;
  const lifted: RunState = { ...state, pauses: state.pauses.delete(pauseId) };
  if (open.executionId !== null) return holdExecution(lifted, open.executionId, false);
  return updateScope(lifted, open.scope, (scope) =>
    scope.cursor.phase === 'paused' ? { ...scope, cursor: scope.cursor.then } : scope,
  );
}

/** A held execution is not dispatched; letting it go starts the count of its recoveries anew. */
function holdExecution(state: RunState, executionId: number, held: boolean): RunState {
  const execution = state.executions.get(executionId);
  if (execution === undefined) return state;
  return { ...state, executions: state.executions.set(executionId, { ...execution, held, recoveries: 0 }) };
}
