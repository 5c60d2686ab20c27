import type { RunEvent } from './log/event.js';
import { eventKind, type KnownKind } from './log/event-kinds.js';
import type { Draft, RunState } from './state/state.js';
import { isOver, statusOf } from './state/status.js';
import { passDue } from './waits/books.js';
import { isActedUpon } from './waits/kinds.js';

/**
 * Folds one event onto the state before it. Never refuses, never computes what is not in the event, never
 * sees the plan: that is what lets a log of last year load today. Whoever folds many makes one draft for all of them.
 *
 * A rewind needs the state that it goes back to, a fork that of the other run (`prefix`): see `fold-log.ts`.
 */
export function evolve(state: RunState, event: RunEvent, prefix?: RunState): RunState {
  const draft = draftOf(state);
  apply(draft, event, prefix);
  return draft;
}

/**
 * A copy of the state, to fold events into. Its maps are never changed in place, so it costs the same for a large run. As
 * long as events are folded into it, nobody but the one who made it may hold it.
 */
export function draftOf(state: RunState): Draft {
  return { ...state };
}

/** Folds an event into the draft. What it means is in `fold/` and `waits/`. */
export function apply(
  draft: Draft,
  event: RunEvent,
  prefix?: RunState,
  kind: KnownKind = eventKind(event.type),
): void {
  const { logChars } = draft;
  kind.fold(draft, event, prefix);
  draft.seq = event.seq;
  draft.eventAt = event.at;
  draft.logChars = logChars + kind.chars(event);
  // Of a run that is over nothing comes due, so that what is noted then changes nothing else.
  if (draft.due !== null && draft.due.dueAt <= event.at && draft.phase === 'live')
    passDue(draft, isActedUpon);
  if (kind.isCheckpoint) draft.checkpoint = event.seq;
  if (kind.isNote && isOver(draft)) return;
  draft.updatedAt = event.at;
  keepTime(draft);
}

/** Starts or stops the clock of time not paused. */
function keepTime(draft: Draft): void {
  const isRunning = statusOf(draft) === 'running';
  if (isRunning === (draft.activeSince !== null)) return;
  if (draft.activeSince !== null) draft.activeMs += draft.updatedAt - draft.activeSince;
  draft.activeSince = isRunning ? draft.updatedAt : null;
}
