import { deepFreeze } from '../../../core/freeze.js';
import { foldLog, baseStatesNeeded } from '../../../core/fold-log.js';
import type { RunEvent } from '../../../core/log/event.js';
import { decodeEvents } from '../../../core/log/event-codec.js';
import { decodeState } from '../../../core/state/codec/state-codec.js';
import { INITIAL_STATE, STATE_VERSION, type RunState } from '../../../core/state/state.js';
import type { StoredEvent } from '../../../ports/store/append.js';
import type { CrashJournal } from '../../../ports/store/crash-journal.js';
import type { LoadedRun, RunLog } from '../../../ports/store/run-log.js';
import type { RunRow } from '../../../ports/store/run-row.js';
import { charsOfSourceLogs, MAX_GENERATIONS, sourceOf, type LogPart } from './fork-sources.js';
import { SliceAccount, type SliceScheduler } from '../slice-scheduler.js';

/** How many events are read and folded at a time; fewer where they are large. */
const PAGE_EVENTS = 1_000;
const PAGE_CHARS = 1024 * 1024;
/** A longer log is not kept next to the state. */
const MAX_KEPT_EVENTS = 5_000;
const MAX_KEPT_CHARS = 1024 * 1024;

/** Where logs are read from, and how folding them shares the event loop. */
export interface Loading {
  readonly store: RunLog & Pick<CrashJournal, 'markAtRisk'>;
  readonly slices: SliceScheduler;
  /** Called once the log turns out to be long, before more of it is read; throws where that must wait. */
  readonly admitLong?: () => void;
}

export interface LoadedState {
  readonly row: RunRow;
  readonly state: RunState;
  /** All events up to `atSeq`; none where they are many, or were folded onto a stored state. */
  readonly events: readonly RunEvent[];
  /** About how many characters the log held up to the stored state that was used; 0: none was used. */
  readonly storedLogChars: number;
  /** About how many characters of its source runs' logs were folded first, where the run is a fork. */
  readonly sourceChars: number;
}

/**
 * The state of a run after event `atSeq` (null: at the end), or null for a run that does not exist. A stored state of
 * another version is ignored, and all of the log is folded instead. A rewind in the log needs the base state that it
 * goes back to; where that is before the current page it is loaded in the same way. A fork begins with the state of
 * another run: that run is folded first, and before it the one that it is a fork of.
 *
 * A long log is folded page by page, each in a slice of its own, so that other work is not held up.
 */
export async function loadState(loading: Loading, part: LogPart): Promise<LoadedState | null> {
  const { store } = loading;
  const own = await loadPart(store, part);
  if (own === null) return null;
  // Only the names of the forks in between are kept: their first pages are too much to hold in memory at once.
  const forks: LogPart[] = [];
  let oldest = own;
  for (; oldest.source !== null; oldest = await sourcePart(store, oldest.source, part.runId)) {
    if (forks.length > MAX_GENERATIONS)
      throw new Error(`The run ${part.runId} is a fork too many times over.`);
    forks.push(oldest.part);
  }
  let loaded: LoadedState = { ...(await foldPart(loading, oldest, null)), sourceChars: 0 };
  for (const each of forks.toReversed()) {
    const next = each === part ? own : await sourcePart(store, each, part.runId);
    const sourceChars = charsOfSourceLogs(loaded);
    loaded = { ...(await foldPart(loading, next, loaded.state)), sourceChars };
  }
  return loaded;
}

/** A run as it was loaded, before anything is folded. */
interface LoadedPart extends LoadedRun {
  readonly part: LogPart;
  /** The stored state, if this build can read it; null: the log is folded from its start. */
  readonly from: RunState | null;
  readonly source: LogPart | null;
}

async function loadPart(store: RunLog, part: LogPart): Promise<LoadedPart | null> {
  const loaded = await store.load(part);
  if (loaded === null) return null;
  const { storedState } = loaded;
  const isUsable = storedState !== null && storedState.stateVersion === STATE_VERSION;
  const from = isUsable ? decodeState(deepFreeze(storedState.state)) : null;
  return { ...loaded, part, from, source: await sourceOf(store, part.runId, loaded, isUsable) };
}

async function sourcePart(store: RunLog, part: LogPart, forkId: string): Promise<LoadedPart> {
  const loaded = await loadPart(store, part);
  if (loaded !== null) return loaded;
  throw new Error(
    `The run ${part.runId} is not stored, and ${forkId} is a fork of it: restore the data folder from a backup`,
  );
}

async function foldPart(
  loading: Loading,
  loaded: LoadedPart,
  source: RunState | null,
): Promise<Omit<LoadedState, 'sourceChars'>> {
  const { store } = loading;
  const { part, row, storedState } = loaded;
  const { runId, atSeq } = part;
  const isUsable = loaded.from !== null;
  const from = loaded.from ?? INITIAL_STATE;
  const untilSeq = Math.min(row.lastSeq, atSeq ?? row.lastSeq);
  const account = new SliceAccount({ ...row, owner: null });
  let state = from;
  let kept: RunEvent[] | null = isUsable ? null : [];
  // The events after a stored state that is ignored have to wait for those before it.
  let first = isUsable || storedState === null ? loaded.events : [];
  let isLong = false;
  try {
    while (state.seq < untilSeq) {
      if (first.length === 0 && !isLong) {
        loading.admitLong?.();
        isLong = true;
        const marking = store.markAtRisk({ runId, doing: 'load', lastSeq: row.lastSeq });
        if (marking instanceof Promise) await marking;
      }
      const stored = first.length > 0 ? first : await pageAfter(store, runId, state.seq, untilSeq);
      first = [];
      const { events, folded } = await foldPage(loading, account, { runId, state, stored, source });
      state = folded;
      kept?.push(...events);
      if (kept !== null && (kept.length > MAX_KEPT_EVENTS || state.logChars > MAX_KEPT_CHARS)) kept = null;
    }
  } finally {
    if (isLong) void store.markAtRisk({ runId, doing: 'load', lastSeq: null });
  }
  return { row, state, events: kept ?? [], storedLogChars: from.logChars };
}

/** Folds one page onto the state. The events are frozen, as if they had never left memory, because units see them. */
async function foldPage(
  loading: Loading,
  account: SliceAccount,
  page: {
    readonly runId: string;
    readonly state: RunState;
    readonly stored: readonly StoredEvent[];
    readonly source: RunState | null;
  },
): Promise<{ readonly events: readonly RunEvent[]; readonly folded: RunState }> {
  const { runId, state, stored, source } = page;
  const events = decodeEvents(stored, runId);
  const baseStates = new Map<number, RunState>();
  for (const seq of baseStatesNeeded(state.seq, events)) {
    const base = await loadState(loading, { runId, atSeq: seq });
    if (base !== null) baseStates.set(seq, base.state);
  }
  const folded = await loading.slices.take(account, () => {
    return foldLog(state, deepFreeze(events), baseStates, source);
  });
  return { events, folded };
}

async function pageAfter(
  store: RunLog,
  runId: string,
  afterSeq: number,
  untilSeq: number,
): Promise<readonly StoredEvent[]> {
  const limit = Math.min(PAGE_EVENTS, untilSeq - afterSeq);
  const page = await store.readEvents({ runId, afterSeq, limit, maxChars: PAGE_CHARS });
  if (page.length === 0) throw new Error(`The log of the run ${runId} ends before event ${untilSeq}.`);
  return page;
}
