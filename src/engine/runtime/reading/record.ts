import type { RunEvent } from '../../core/log/event.js';
import type { RunMessage } from '../../core/log/messages.js';
import { recordedStateSteps } from '../../core/state/view/recorded-state.js';
import { recordedState } from '../../core/state/view/state-view.js';
import type { RunState } from '../../core/state/state.js';
import { activeMsAt, statusOf } from '../../core/state/status.js';
import type { Steps } from '../../core/steps.js';
import type { RunRow } from '../../ports/store/run-row.js';
import { inSlices } from '../../scheduling/slice.js';
import type { RunRecord, WorkflowResult } from '../../run-record.js';
import { NewestMessages } from './newest-messages.js';

/** The record of a run of a shorter log is built in a millisecond or two. */
const SHORT_LOG_CHARS = 262_144;

/** A record without `result` and `error`. */
export type RunHeader = Pick<RunRecord, 'runId' | 'workflowId' | 'status' | 'createdAt' | 'updatedAt'>;

/** Whether a record of the run shows a `result`, for which its state and its events are needed. */
export function hasResult(status: RunRow['status']): boolean {
  return status === 'completed' || status === 'paused';
}

/**
 * The record of a run: at once where its log is short, else in slices of time. `events` end with the newest and matter only
 * when the run has a result.
 */
export function recordOf(state: RunState, events: readonly RunEvent[]): RunRecord | Promise<RunRecord> {
  return hasResult(statusOf(state)) ? completeRecord(state, events) : summarisedRecord(state);
}

/** As `recordOf`, for a caller that has the newest messages already. */
export function recordWith(state: RunState, messages: readonly RunMessage[]): RunRecord | Promise<RunRecord> {
  return hasResult(statusOf(state)) ? inSlices(resultSteps(state, messages)) : summarisedRecord(state);
}

function completeRecord(state: RunState, events: readonly RunEvent[]): RunRecord | Promise<RunRecord> {
  if (state.logChars >= SHORT_LOG_CHARS) return inSlices(completeSteps(state, events));
  const newest = new NewestMessages(state.runId);
  newest.takeAtOnce(events);
  return withResult(state, recordedState(state), newest.all());
}

/** Why a run failed, or is shown as failed. */
export interface RunFailure {
  /** Null: unknown. */
  readonly error: string | null;
  /** True: the run was cancelled. */
  readonly isCancelled: boolean;
}

export function failureOf({ error, phase }: RunState): RunFailure {
  return { error, isCancelled: phase === 'cancelled' };
}

/** The record of a run without a result; `failure` counts for a run that failed. */
export function recordOfRow(row: RunHeader, failure: RunFailure | null): RunRecord {
  const { runId, workflowId, status, createdAt, updatedAt } = row;
  const record = { runId, workflowId, status, createdAt, updatedAt };
  if (status !== 'failed') return record;
  const failed = { ...record, error: failure?.error ?? 'The run failed' };
  return failure?.isCancelled === true ? { ...failed, cancelled: true } : failed;
}

/** The record that an asynchronous start returns: the run has begun, and nothing more is said. */
export function startedRecord(state: RunState): RunRecord {
  return { ...headerOf(state), status: 'running' };
}

export function headerOf(state: RunState): RunHeader {
  const { runId, workflowId, createdAt, updatedAt } = state;
  return { runId, workflowId, status: statusOf(state), createdAt, updatedAt };
}

function summarisedRecord(state: RunState): RunRecord {
  return recordOfRow(headerOf(state), failureOf(state));
}

function* completeSteps(state: RunState, events: readonly RunEvent[]): Steps<RunRecord> {
  const newest = new NewestMessages(state.runId);
  yield* newest.take(events);
  return yield* resultSteps(state, newest.all());
}

function* resultSteps(state: RunState, messages: readonly RunMessage[]): Steps<RunRecord> {
  return withResult(state, yield* recordedStateSteps(state), messages);
}

function withResult(
  state: RunState,
  recorded: WorkflowResult['state'],
  messages: readonly RunMessage[],
): RunRecord {
  const { runId, workflowId, createdAt, updatedAt } = state;
  const result = resultOf(state, recorded, messages);
  return { runId, workflowId, status: statusOf(state), createdAt, updatedAt, result };
}

/** The record with its result, in whichever status the run is. */
export function* recordInFullSteps(
  state: RunState,
  messages: readonly RunMessage[],
): Steps<RunRecord & Pick<Required<RunRecord>, 'result'>> {
  const result = resultOf(state, yield* recordedStateSteps(state), messages);
  return { ...summarisedRecord(state), result };
}

function resultOf(
  state: RunState,
  recorded: WorkflowResult['state'],
  messages: readonly RunMessage[],
): WorkflowResult {
  return {
    runId: state.runId,
    completedUnits: completedUnitsOf(state),
    state: recorded,
    messages,
    duration: activeMsAt(state, state.updatedAt),
    tokenUsage: state.usage.tokens,
    cost: state.usage.cost,
    ...(state.output === undefined ? {} : { output: state.output }),
  };
}

/** In the order of first completion. */
export function completedUnitsOf(state: RunState): readonly string[] {
  const unitIds: string[] = [];
  let seq = 0;
  state.completed.forEach((completedAt, unitId) => {
    unitIds.push(unitId);
    seq = completedAt > seq ? completedAt : Infinity;
  });
  // They are mostly in that order already.
  if (seq !== Infinity) return unitIds;
  return [...state.completed].sort(([, a], [, b]) => a - b).map(([unitId]) => unitId);
}
