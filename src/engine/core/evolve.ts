import type { NewStatus } from './log/event-base.js';
import type { RunEvent } from './log/event.js';
import { eventKind, type KnownKind } from './log/event-kinds.js';
import type { Draft, RunState } from './state/state.js';
import { isOver, statusOf } from './state/status.js';
import { passDue } from './waits/state-indexes.js';
import { isActedUpon } from './waits/kinds.js';

/**
 * Folds one event onto the state before it. It never refuses an event, computes nothing that is not in it and never sees the
 * plan: that is why a log of last year loads today. A caller that folds many events makes one draft for all of them.
 *
 * A rewind needs the state that it goes back to, a fork the state of the other run (`baseState`): see `fold-log.ts`.
 */
export function evolve(state: RunState, event: RunEvent, baseState?: RunState): RunState {
  const draft = draftOf(state);
  apply(draft, event, baseState);
  return draft;
}

/**
 * Copies the state, to fold events into the copy. Its maps are never changed in place, so it costs the same for a large run.
 * While events are folded into the draft, only its maker may hold a reference to it.
 */
export function draftOf(state: RunState): Draft {
  return { ...state };
}

/** Folds an event into the draft. What it means is in `fold/` and `waits/`. */
export function apply(
  draft: Draft,
  event: RunEvent,
  baseState?: RunState,
  kind: KnownKind = eventKind(event.type),
): void {
  // Neither goes back to what it was, whatever the state that a rewind goes back to says.
  const { logChars, isPauseTold } = draft;
  kind.fold(draft, event, baseState);
  tellStatus(draft, event.newStatus ?? (isPauseTold ? 'paused' : 'running'));
  draft.seq = event.seq;
  draft.eventAt = event.at;
  draft.logChars = logChars + kind.chars(event);
  // Nothing of a run that is over comes due: an event that is noted then must change nothing else.
  if (draft.due !== null && draft.due.dueAt <= event.at && draft.phase === 'live')
    passDue(draft, isActedUpon);
  if (kind.isCheckpoint) draft.checkpoint = event.seq;
  if (kind.isNote && isOver(draft)) return;
  draft.updatedAt = event.at;
  keepTime(draft);
}

/** Clients know the run to have this status after the event, where it is not over. */
export function tellStatus(draft: Draft, status: NewStatus): void {
  draft.isPauseTold = status === 'paused' && draft.phase === 'live';
}

/** Starts or stops the clock of time not paused. */
function keepTime(draft: Draft): void {
  const isRunning = statusOf(draft) === 'running';
  if (isRunning === (draft.activeSince !== null)) return;
  if (draft.activeSince !== null) draft.activeMs += draft.updatedAt - draft.activeSince;
  draft.activeSince = isRunning ? draft.updatedAt : null;
}
