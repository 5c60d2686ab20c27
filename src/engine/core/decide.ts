import { advanceReady } from './turn/advance.js';
import { backoffMs } from './turn/backoff.js';
import type { RunEvent } from './log/event.js';
import type { FlowNode, Plan } from './plan/plan.js';
import { nodeAt, unitAt } from './plan/plan.js';
import { ROOT_SCOPE } from './state/scope.js';
import type { Signal } from './signal.js';
import type { Execution, RunState } from './state/state.js';
import { deadlineOf, statusOf } from './state/status.js';
import { MAX_EVENTS_PER_TURN, Turn } from './turn/turn.js';

/** After this many recoveries of one execution the run pauses: a unit must not kill the process for ever. */
const MAX_RECOVERIES = 3;

export interface Decision {
  /** To append, in one write; empty when the signal is for something that is closed. */
  readonly events: readonly RunEvent[];
  /** The state with the events folded in. */
  readonly state: RunState;
  /** The turn was cut short: send `continue` once the events are appended. */
  readonly more: boolean;
}

/**
 * What a signal does to a run. Pure: the same plan, state and signal give the same events. Here, and only
 * here, expressions are evaluated and choices made.
 */
export function decide(plan: Plan, state: RunState, signal: Signal): Decision {
  const turn = new Turn(plan, state, signal.at);
  take(turn, signal);
  advanceReady(turn);
  const more = turn.state.phase === 'live' && turn.events.length >= MAX_EVENTS_PER_TURN;
  return { events: turn.events, state: turn.state, more };
}

function take(turn: Turn, signal: Signal): void {
  const { state, plan } = turn;
  switch (signal.type) {
    case 'start': {
      if (state.phase !== 'pending') return;
      turn.emit({
        type: 'run-started',
        runId: signal.runId,
        workflowId: plan.workflowId,
        definitionHash: plan.hash,
        input: signal.input,
        parent: signal.parent,
        deadlineAt: plan.workflowMs === null ? null : signal.at + plan.workflowMs,
      });
      turn.ready.add(ROOT_SCOPE);
      return;
    }
    case 'unit-finished': {
      const execution = openExecution(state, signal);
      if (execution === null) return;
      const { executionId, attempt, output, patch, usage, metadata } = signal;
      turn.emit({
        type: 'unit-finished',
        executionId,
        unitId: execution.unitId,
        attempt,
        output,
        patch,
        usage,
        metadata: whatFlowsRead(metadata),
      });
      turn.ready.add(execution.scope);
      return;
    }
    case 'unit-attempt-failed':
      return attemptFailed(turn, signal);
    case 'decision': {
      const gate = state.phase === 'live' ? state.gates.get(signal.gateId) : undefined;
      if (gate === undefined) return;
      const { gateId, approved, responder, comment } = signal;
      const failed = !approved && gate.onReject === 'fail';
      turn.emit({ type: 'gate-decided', gateId, unitId: gate.unitId, approved, responder, comment, failed });
      turn.ready.add(gate.scope);
      return;
    }
    case 'timer-due':
      return fireTimers(turn);
    case 'resume':
      return resume(turn, signal);
    case 'rewind':
      turn.emit({ type: 'rewound', toSeq: signal.toSeq, state: signal.state });
      return sweep(turn);
    case 'note':
      if (state.phase === 'live') turn.emit({ type: 'request-noted', request: signal.request });
      return;
    case 'cancel':
      if (state.phase === 'live' || state.phase === 'failed')
        turn.emit({ type: 'run-cancelled', by: signal.by });
      return;
    case 'recover':
      return recover(turn);
    case 'continue':
      return sweep(turn);
  }
}

/** The execution that an answer is for, or null when it is closed or the answer is to an earlier attempt. */
function openExecution(
  state: RunState,
  answer: { readonly executionId: number; readonly attempt: number },
): Execution | null {
  const execution = state.phase === 'live' ? state.executions.get(answer.executionId) : undefined;
  return execution !== undefined && execution.attempt === answer.attempt ? execution : null;
}

/** Of a unit's metadata the log keeps what steers flows; the rest is the unit's own affair. */
function whatFlowsRead(metadata: (Signal & { type: 'unit-finished' })['metadata']) {
  if (metadata === null) return null;
  const { route, delegations } = metadata;
  if (route === undefined && delegations === undefined) return null;
  return { ...(route === undefined ? {} : { route }), ...(delegations === undefined ? {} : { delegations }) };
}

function attemptFailed(turn: Turn, signal: Signal & { readonly type: 'unit-attempt-failed' }): void {
  const execution = openExecution(turn.state, signal);
  if (execution === null) return;
  const { executionId, attempt, error, retryable, outcome } = signal;
  const { retry } = unitAt(turn.plan, asUnit(nodeAt(turn.plan, execution.path)));
  if (retryable && attempt < retry.maxAttempts) {
    const delayMs = signal.retryAfterMs ?? backoffMs(retry, turn.state.runId, executionId, attempt);
    turn.emit({
      type: 'unit-attempt-failed',
      executionId,
      unitId: execution.unitId,
      attempt,
      error,
      outcome,
      retryAt: turn.at + delayMs,
    });
    return;
  }
  turn.emit({
    type: 'unit-failed',
    executionId,
    unitId: execution.unitId,
    attempt,
    error: `Unit ${execution.unitId} failed after ${attempt} attempt(s): ${error}`,
    retryable,
    outcome: execution.mayBeDone ? 'unknown' : outcome,
  });
  turn.ready.add(execution.scope);
}

function asUnit(node: FlowNode) {
  if (node.type !== 'unit')
    throw new Error(`The ${node.type} at ${node.path} is no unit: the log is corrupt.`);
  return node;
}

function fireTimers(turn: Turn): void {
  if (turn.state.phase !== 'live') return;
  const deadline = deadlineOf(turn.state);
  if (deadline !== null && deadline <= turn.at) {
    turn.emit({
      type: 'run-failed',
      error: `The run overran its time-out of ${turn.plan.workflowMs ?? 0} ms`,
    });
    return;
  }
  const due = [...turn.state.timers].filter(([, timer]) => timer.dueAt <= turn.at);
  for (const [timerId, timer] of due.sort(([a], [b]) => a - b)) {
    turn.emit({ type: 'timer-fired', timerId, unitId: timer.unitId });
    turn.ready.add(timer.scope);
  }
}

function resume(turn: Turn, { pauseId, by }: Signal & { readonly type: 'resume' }): void {
  const { phase, pauses } = turn.state;
  if (pauseId === null) {
    if (phase !== 'failed') return;
    turn.emit({ type: 'resumed', pauseId, by });
    return sweep(turn);
  }
  const pause = phase === 'live' ? pauses.get(pauseId) : undefined;
  if (pause === undefined) return;
  turn.emit({ type: 'resumed', pauseId, by });
  turn.ready.add(pause.scope);
}

/** Executions in flight when the service died are called again, unless they keep killing it. */
function recover(turn: Turn): void {
  if (turn.state.phase !== 'live') return;
  const inFlight = [...turn.state.executions.values()].filter(
    ({ held, retryAt }) => !held && retryAt <= turn.at,
  );
  if (inFlight.length > 0) {
    turn.emit({ type: 'recovered', executionIds: inFlight.map(({ id }) => id).sort((a, b) => a - b) });
  }
  for (const { id } of inFlight) {
    const execution = turn.state.executions.get(id);
    if (execution === undefined || execution.recoveries < MAX_RECOVERIES) continue;
    const { path, scope, unitId } = execution;
    turn.emit({ type: 'paused', path, scope, unitId, reason: 'recovery-limit', executionId: id });
  }
  sweep(turn);
}

/** Visits every thread: those that wait stay, the others go on from where the log stopped. */
function sweep(turn: Turn): void {
  if (turn.state.scopes.size === 0 || statusOf(turn.state) === 'completed') return;
  // Sorted: the order of a map depends on how it came to be.
  for (const scope of [...turn.state.scopes.keys()].sort()) turn.ready.add(scope);
}
