import type { RunEvent } from './log/event.js';
import { approximateChars } from './json-size.js';
import { eventKind } from './log/event-kinds.js';
import type { Draft, RunState } from './state/state.js';
import { isOver, statusOf } from './state/status.js';
import { passDue } from './waits/books.js';
import { isActedUpon } from './waits/kinds.js';

/**
 * Folds one event onto the state before it. Never refuses, never computes what is not in the event, never
 * sees the plan: that is what lets a log of last year load today.
 *
 * The one copy of the state that an event costs is made here; what the event means is in `fold/` and `waits/`, and
 * changes that copy in place. A rewind needs the state that it goes back to (`prefix`): see `fold-log.ts`.
 */
export function evolve(state: RunState, event: RunEvent, prefix?: RunState): RunState {
  const kind = eventKind(event.type);
  const next: Draft = { ...state };
  kind.fold(next, event, prefix);
  next.seq = event.seq;
  next.eventAt = event.at;
  next.logChars = state.logChars + approximateChars(event);
  if (next.due !== null && next.due.dueAt <= event.at) passDue(next, isActedUpon);
  if (kind.isCheckpoint) next.checkpoint = event.seq;
  if (kind.isNote && isOver(next)) return next;
  next.updatedAt = event.at;
  keepTime(next);
  return next;
}

/** Starts or stops the clock of time not paused. */
function keepTime(state: Draft): void {
  const isRunning = statusOf(state) === 'running';
  if (isRunning === (state.activeSince !== null)) return;
  if (state.activeSince !== null) state.activeMs += state.updatedAt - state.activeSince;
  state.activeSince = isRunning ? state.updatedAt : null;
}
