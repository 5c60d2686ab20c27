import { apply, draftOf } from './evolve.js';
import type { RunEvent } from './log/event.js';
import type { RunState } from './state/state.js';

const NO_BASE_STATES: ReadonlyMap<number, RunState> = new Map();

/**
 * Folds a log onto a state. The states that its rewinds go back to are kept on the way; those from before `from` must be in
 * `baseStates`, by their seq (`baseStatesNeeded` names them). For a fork that is folded from its start, `source` is the
 * state of the other run that it began with (`sourceNeeded` names it). A run that was loaded in this way equals one that
 * never left memory.
 */
export function foldLog(
  from: RunState,
  events: readonly RunEvent[],
  baseStates: ReadonlyMap<number, RunState> = NO_BASE_STATES,
  source: RunState | null = null,
): RunState {
  const passed = statesToKeep(events);
  if (passed?.has(from.seq) === true) passed.set(from.seq, from);
  if (events.length === 0) return from;
  const draft = draftOf(from);
  for (const event of events) {
    if (event.type === 'rewound')
      apply(draft, event, passed?.get(event.toSeq) ?? baseStates.get(event.toSeq));
    else if (event.type === 'run-forked') apply(draft, event, source ?? undefined);
    else apply(draft, event);
    if (passed?.has(draft.seq) === true) passed.set(draft.seq, draftOf(draft));
  }
  return draft;
}

/** The seqs, ascending, of the states before `fromSeq` that rewinds among these events go back to. */
export function baseStatesNeeded(fromSeq: number, events: readonly RunEvent[]): readonly number[] {
  const seqs = [...(statesToKeep(events)?.keys() ?? [])];
  return seqs.filter((seq) => seq < fromSeq).sort((a, b) => a - b);
}

/** The run and the seq of the event whose state a fork with these events begins with; null: it needs none. */
export function sourceNeeded(
  events: readonly RunEvent[],
): { readonly runId: string; readonly atSeq: number } | null {
  // Only the second event of a log can say it.
  const forked = events.slice(0, 2).find((event) => event.type === 'run-forked');
  if (forked === undefined || forked.fromSeq === 0) return null;
  return { runId: forked.fromRunId, atSeq: forked.fromSeq };
}

/** By seq: the states that rewinds go back to, none of them known yet; null where there is no rewind. */
function statesToKeep(events: readonly RunEvent[]): Map<number, RunState | undefined> | null {
  let states: Map<number, RunState | undefined> | null = null;
  for (const event of events)
    if (event.type === 'rewound') (states ??= new Map()).set(event.toSeq, undefined);
  return states;
}
