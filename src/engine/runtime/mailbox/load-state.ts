import { deepFreeze } from '../../core/freeze.js';
import { foldLog, prefixesNeeded } from '../../core/fold-log.js';
import type { RunEvent } from '../../core/log/event.js';
import { decodeEvents } from '../../core/log/event-codec.js';
import { decodeState } from '../../core/state/state-codec.js';
import { INITIAL_STATE, STATE_VERSION, type RunState } from '../../core/state/state.js';
import type { RunRow, RunStore, StoredEvent } from '../../ports/run-store.js';
import { TurnAccount, type Turns } from './turns.js';

/** So many events are read and folded at a time; fewer where they are large. */
const PAGE_EVENTS = 1_000;
const PAGE_CHARS = 1024 * 1024;
/** A longer log is not kept beside the state. */
const MAX_KEPT_EVENTS = 5_000;
const MAX_KEPT_CHARS = 1024 * 1024;

/** Where logs are read from, and whose loop it takes to fold them. */
export interface Loading {
  readonly store: RunStore;
  readonly turns: Turns;
  /** Asked once the log turns out to be long, before more of it is read; throws where that must wait. */
  readonly admitLong?: () => void;
}

export interface LoadedState {
  readonly row: RunRow;
  readonly state: RunState;
  /** All events up to there; none where they are many, or were folded onto a stored state. */
  readonly events: readonly RunEvent[];
  /** About how many characters the log held up to the stored state that was used; 0: none was. */
  readonly storedLogChars: number;
}

/**
 * The state of a run after event `atSeq` (null: at the end), or null for a run that does not exist. A stored state of
 * another version is passed over, and all of the log is folded in its place. A rewind in the log asks for the state
 * that it goes back to; what lies before the page at hand is loaded in the same way.
 *
 * A long log is folded page by page, each in a turn of its own, so that nobody waits for it.
 */
export async function loadState(
  loading: Loading,
  { runId, atSeq }: { readonly runId: string; readonly atSeq: number | null },
): Promise<LoadedState | null> {
  const { store } = loading;
  const loaded = await store.load({ runId, atSeq });
  if (loaded === null) return null;
  const { row, storedState } = loaded;
  const isUsable = storedState !== null && storedState.stateVersion === STATE_VERSION;
  const from = isUsable ? decodeState(deepFreeze(storedState.state)) : INITIAL_STATE;
  const untilSeq = Math.min(row.lastSeq, atSeq ?? row.lastSeq);
  const account = new TurnAccount(row);
  let state = from;
  let kept: RunEvent[] | null = isUsable ? null : [];
  // What was folded onto a state that is passed over comes after the rest of the log.
  let first = isUsable || storedState === null ? loaded.events : [];
  let isLong = false;
  try {
    while (state.seq < untilSeq) {
      if (first.length === 0 && !isLong) {
        loading.admitLong?.();
        isLong = true;
        store.markAtRisk({ runId, doing: 'load', lastSeq: row.lastSeq });
      }
      const stored = first.length > 0 ? first : await pageAfter(store, runId, state.seq, untilSeq);
      first = [];
      const { events, folded } = await foldPage(loading, account, { runId, state, stored });
      state = folded;
      kept?.push(...events);
      if (kept !== null && (kept.length > MAX_KEPT_EVENTS || state.logChars > MAX_KEPT_CHARS)) kept = null;
    }
  } finally {
    if (isLong) store.markAtRisk({ runId, doing: 'load', lastSeq: null });
  }
  return { row, state, events: kept ?? [], storedLogChars: from.logChars };
}

/** Folds one page onto the state. What units will be given of it is frozen, as if it had never left memory. */
async function foldPage(
  loading: Loading,
  account: TurnAccount,
  page: { readonly runId: string; readonly state: RunState; readonly stored: readonly StoredEvent[] },
): Promise<{ readonly events: readonly RunEvent[]; readonly folded: RunState }> {
  const { runId, state, stored } = page;
  const events = decodeEvents(stored, runId);
  const prefixes = new Map<number, RunState>();
  for (const seq of prefixesNeeded(state.seq, events)) {
    const prefix = await loadState(loading, { runId, atSeq: seq });
    if (prefix !== null) prefixes.set(seq, prefix.state);
  }
  const folded = await loading.turns.take(account, () => foldLog(state, deepFreeze(events), prefixes));
  return { events, folded };
}

async function pageAfter(
  store: RunStore,
  runId: string,
  afterSeq: number,
  untilSeq: number,
): Promise<readonly StoredEvent[]> {
  const limit = Math.min(PAGE_EVENTS, untilSeq - afterSeq);
  const page = await store.readEvents({ runId, afterSeq, limit, maxChars: PAGE_CHARS });
  if (page.length === 0) throw new Error(`The log of the run ${runId} ends before event ${untilSeq}.`);
  return page;
}
