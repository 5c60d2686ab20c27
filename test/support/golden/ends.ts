import { foldLog, sourceNeeded } from '../../../src/engine/core/fold-log.js';
import { decodeEvents } from '../../../src/engine/core/log/event-codec.js';
import { recordedState } from '../../../src/engine/core/state/view/state-view.js';
import { INITIAL_STATE, type RunState } from '../../../src/engine/core/state/state.js';
import type { StoredEvent } from '../../../src/engine/ports/store/append.js';
import type { RunStore } from '../../../src/engine/ports/store/run-store.js';
import type { End } from './history.js';
import type { Player } from './player.js';

export async function endsOf(
  player: Player,
  store: RunStore,
  runIds: readonly string[],
): Promise<Readonly<Record<string, End>>> {
  const ends: Record<string, End> = {};
  const logs = new Map<string, readonly StoredEvent[]>();
  for (const runId of runIds) logs.set(runId, await store.readEvents({ runId, afterSeq: 0, limit: 10_000 }));
  for (const runId of runIds) {
    const log = logs.get(runId) ?? [];
    // Where a power cut has its parent go another way, a child is not begun.
    if (log.length === 0) continue;
    const state = stateOf(log, runId, logs);
    const record = await player.engine.runs.get({ workflowId: state.workflowId, runId });
    const completed = [...state.completed].sort(([, a], [, b]) => a - b).map(([unitId]) => unitId);
    ends[runId] = { record, state: recordedState(state), completedUnits: completed };
  }
  return ends;
}

/** `logs`: those of other runs, of which it may be a fork. */
export function stateOf(
  events: readonly StoredEvent[],
  runId: string,
  logs: ReadonlyMap<string, readonly StoredEvent[]>,
): RunState {
  const decoded = decodeEvents(events, runId);
  const needed = sourceNeeded(decoded);
  if (needed === null) return foldLog(INITIAL_STATE, decoded);
  const source = stateOf((logs.get(needed.runId) ?? []).slice(0, needed.atSeq), needed.runId, logs);
  return foldLog(INITIAL_STATE, decoded, undefined, source);
}
