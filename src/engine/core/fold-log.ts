import { apply, draftOf } from './evolve.js';
import type { RunEvent } from './log/event.js';
import type { RunState } from './state/state.js';

const NO_PREFIXES: ReadonlyMap<number, RunState> = new Map();

/**
 * Folds a log onto a state. The states that rewinds in it go back to are taken along on the way; those that lie before
 * `from` must be in `prefixes`, by their seq (`prefixesNeeded` names them). A run that was loaded so is the same as
 * one that never left memory.
 */
export function foldLog(
  from: RunState,
  events: readonly RunEvent[],
  prefixes: ReadonlyMap<number, RunState> = NO_PREFIXES,
): RunState {
  const passed = statesToKeep(events);
  if (passed?.has(from.seq) === true) passed.set(from.seq, from);
  if (events.length === 0) return from;
  const draft = draftOf(from);
  for (const event of events) {
    if (event.type !== 'rewound') apply(draft, event);
    else apply(draft, event, passed?.get(event.toSeq) ?? prefixes.get(event.toSeq));
    if (passed?.has(draft.seq) === true) passed.set(draft.seq, draftOf(draft));
  }
  return draft;
}

/** The seqs, ascending, of the states before `fromSeq` that rewinds among these events go back to. */
export function prefixesNeeded(fromSeq: number, events: readonly RunEvent[]): readonly number[] {
  const seqs = [...(statesToKeep(events)?.keys() ?? [])];
  return seqs.filter((seq) => seq < fromSeq).sort((a, b) => a - b);
}

/** By seq: the states that rewinds go back to, none of them known yet; null where there is no rewind. */
function statesToKeep(events: readonly RunEvent[]): Map<number, RunState | undefined> | null {
  let states: Map<number, RunState | undefined> | null = null;
  for (const event of events)
    if (event.type === 'rewound') (states ??= new Map()).set(event.toSeq, undefined);
  return states;
}
