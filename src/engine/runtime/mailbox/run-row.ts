import type { RunState } from '../../core/state/state.js';
import { isOver, statusOf, wakeAtOf } from '../../core/state/status.js';
import type { RunRow } from '../../ports/run-store.js';

/** What lists and sweeps see of a run. Held executions do not count as open: nothing is to be taken up there. */
export function rowOf(state: RunState): RunRow {
  return {
    runId: state.runId,
    workflowId: state.workflowId,
    definitionHash: state.definitionHash,
    status: statusOf(state),
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    endedAt: isOver(state) ? state.updatedAt : null,
    openExecutions: state.phase === 'live' ? state.executions.count(({ held }) => !held) : 0,
    wakeAt: wakeAtOf(state),
  };
}
