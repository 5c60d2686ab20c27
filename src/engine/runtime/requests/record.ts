import type { RunEvent } from '../../core/log/event.js';
import type { RunMessage } from '../../core/log/messages.js';
import { messagesOf } from '../../core/log/messages.js';
import type { RunState } from '../../core/state/state.js';
import { recordedState } from '../../core/state/state-view.js';
import { activeMsAt, statusOf } from '../../core/state/status.js';
import type { RunRecord, WorkflowResult } from '../../run-record.js';

/** How many messages a record shows: the newest. The rest are paged by `messages`. */
export const MAX_RECORD_MESSAGES = 1_000;

/** Whether a record of the run shows a `result`, for which its events are needed. */
export function hasResult(state: RunState): boolean {
  const status = statusOf(state);
  return status === 'completed' || status === 'paused';
}

/** The record of a run; `events` end with the newest and matter only when it has a result. */
export function recordOf(state: RunState, events: readonly RunEvent[]): RunRecord {
  const { runId, workflowId, createdAt, updatedAt, error } = state;
  const status = statusOf(state);
  const record = { runId, workflowId, status, createdAt, updatedAt };
  if (status === 'failed') return { ...record, error: error ?? 'The run failed' };
  return hasResult(state) ? { ...record, result: resultOf(state, events) } : record;
}

/** What an asynchronous start answers: the run has begun, and nothing more is said. */
export function startedRecord(state: RunState): RunRecord {
  const { runId, workflowId, createdAt, updatedAt } = state;
  return { runId, workflowId, status: 'running', createdAt, updatedAt };
}

function resultOf(state: RunState, events: readonly RunEvent[]): WorkflowResult {
  return {
    runId: state.runId,
    completedUnits: completedUnitsOf(state),
    state: recordedState(state),
    messages: newestMessages(state.runId, events),
    duration: activeMsAt(state, state.updatedAt),
    tokenUsage: state.usage.tokens,
    cost: state.usage.cost,
  };
}

/** In the order of first completion. */
export function completedUnitsOf(state: RunState): readonly string[] {
  return [...state.completed].sort(([, a], [, b]) => a - b).map(([unitId]) => unitId);
}

function newestMessages(runId: string, events: readonly RunEvent[]): readonly RunMessage[] {
  const batches: (readonly RunMessage[])[] = [];
  let count = 0;
  for (let i = events.length - 1; i >= 0 && count < MAX_RECORD_MESSAGES; i--) {
    const messages = messagesOf(runId, events[i] as RunEvent);
    batches.push(messages);
    count += messages.length;
  }
  return batches.toReversed().flat().slice(-MAX_RECORD_MESSAGES);
}
