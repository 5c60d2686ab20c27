import { deepFreeze } from '../../core/freeze.js';
import { foldLog, prefixesNeeded } from '../../core/fold-log.js';
import type { RunEvent } from '../../core/log/event.js';
import { decodeEvents } from '../../core/log/event-codec.js';
import { decodeState } from '../../core/state/state-codec.js';
import { INITIAL_STATE, STATE_VERSION, type RunState } from '../../core/state/state.js';
import type { RunRow, RunStore } from '../../ports/run-store.js';

const PAGE_EVENTS = 5_000;

export interface LoadedState {
  readonly row: RunRow;
  readonly state: RunState;
  /** What was folded: all events after `storedSeq`. */
  readonly events: readonly RunEvent[];
  /** Seq of the stored state that the events were folded onto; 0: none was used. */
  readonly storedSeq: number;
  /** Characters of JSON that were read for it. */
  readonly chars: number;
}

/**
 * The state of a run after event `atSeq` (null: at the end), or null for a run that does not exist. A stored state of
 * another version is passed over, and all of the log is folded in its place. A rewind in the log asks for the state
 * that it goes back to; what lies before the stored state is loaded in the same way.
 */
export async function loadState(
  store: RunStore,
  { runId, atSeq }: { readonly runId: string; readonly atSeq: number | null },
): Promise<LoadedState | null> {
  const loaded = await store.load({ runId, atSeq });
  if (loaded === null) return null;
  const { row, storedState } = loaded;
  const isUsable = storedState !== null && storedState.stateVersion === STATE_VERSION;
  const from = isUsable ? decodeState(deepFreeze(storedState.state)) : INITIAL_STATE;
  const before = isUsable || storedState === null ? [] : await readEventsUpTo(store, runId, storedState.seq);
  // What units will be given of it is theirs to read, not to change: as if it had never left memory.
  const events = deepFreeze([...before, ...decodeEvents(loaded.events, runId)]);
  const prefixes = new Map<number, RunState>();
  for (const seq of prefixesNeeded(from.seq, events)) {
    const prefix = await loadState(store, { runId, atSeq: seq });
    if (prefix !== null) prefixes.set(seq, prefix.state);
  }
  return { row, state: foldLog(from, events, prefixes), events, storedSeq: from.seq, chars: loaded.chars };
}

async function readEventsUpTo(store: RunStore, runId: string, seq: number): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  while (events.length < seq) {
    const limit = Math.min(PAGE_EVENTS, seq - events.length);
    const page = await store.readEvents({ runId, afterSeq: events.length, limit });
    if (page.length === 0) throw new Error(`The log of the run ${runId} ends before event ${seq}.`);
    for (const event of decodeEvents(page, runId)) events.push(event);
  }
  return events;
}
