import { apply, draftOf } from './evolve.js';
import type { RunEvent } from './log/event.js';
import type { RunState } from './state/state.js';

const NO_PREFIXES: ReadonlyMap<number, RunState> = new Map();

/**
 * Folds a log onto a state. The states that rewinds in it go back to are taken along on the way; those that lie before
 * `from` must be in `prefixes`, by their seq (`prefixesNeeded` names them). Of a fork that is folded from its start,
 * `source` is the state of the other run that it began with (`sourceNeeded` names it). A run that was loaded so is the
 * same as one that never left memory.
 */
export function foldLog(
  from: RunState,
  events: readonly RunEvent[],
  prefixes: ReadonlyMap<number, RunState> = NO_PREFIXES,
  source: RunState | null = null,
): RunState {
  const passed = statesToKeep(events);
  if (passed?.has(from.seq) === true) passed.set(from.seq, from);
  if (events.length === 0) return from;
  const draft = draftOf(from);
  for (const event of events) {
    if (event.type === 'rewound') apply(draft, event, passed?.get(event.toSeq) ?? prefixes.get(event.toSeq));
    else if (event.type === 'run-forked') apply(draft, event, source ?? undefined);
    else apply(draft, event);
    if (passed?.has(draft.seq) === true) passed.set(draft.seq, draftOf(draft));
  }
  return draft;
}

/** The seqs, ascending, of the states before `fromSeq` that rewinds among these events go back to. */
export function prefixesNeeded(fromSeq: number, events: readonly RunEvent[]): readonly number[] {
  const seqs = [...(statesToKeep(events)?.keys() ?? [])];
  return seqs.filter((seq) => seq < fromSeq).sort((a, b) => a - b);
}

/** The run, and the event after which its state is the one that a fork with these events begins with; null: none is. */
export function sourceNeeded(
  events: readonly RunEvent[],
): { readonly runId: string; readonly atSeq: number } | null {
  // The second event of the log says it, and no other.
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
