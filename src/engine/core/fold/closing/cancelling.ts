import type { CancelRequested, CleanUpStarted } from '../../log/event.js';
import { mergedWrites } from '../../state/view/recorded-state.js';
import { charsOfKeys } from '../../state/overhead.js';
import { overFanOut, ROOT_SCOPE, type Scope } from '../../state/scope.js';
import type { Draft } from '../../state/state.js';
import { byId, type Wait } from '../../state/wait.js';
import { kindOf } from '../../waits/kinds.js';
import { closeWait } from '../../waits/state-indexes.js';
import { scopeOf } from '../scopes.js';

/** From now on, only what may be in flight is waited for. */
export function beginToCancel(draft: Draft, { by, graceUntil }: CancelRequested): void {
  // A run that failed has released everything, whatever its state still shows.
  const mayBeInFlight = draft.phase === 'live';
  draft.phase = 'live';
  draft.error = null;
  draft.cancelling = { by, graceUntil, isCleaningUp: false };
  for (const { id } of byId(draft.waits.values())) {
    const wait = draft.waits.get(id);
    if (wait === undefined || (mayBeInFlight && wait.kind === 'execution' && wait.heldBy === null)) continue;
    closeWait(draft, wait);
    standInFrontOf(draft, wait);
  }
}

/** Puts the thread that stood at a wait before it: a fork that begins while what is in flight ends takes it from there. */
function standInFrontOf(draft: Draft, wait: Wait): void {
  const scope = draft.scopes.get(wait.scope);
  if (scope?.cursor.phase !== 'waiting' || scope.cursor.id !== wait.id) return;
  const cursor = overFanOut(scope.cursor) ?? kindOf(wait).forked(wait, null);
  if (cursor !== null) draft.scopes = draft.scopes.set(wait.scope, { ...scope, cursor });
}

/**
 * Turns the run into a run of its clean-up: the writes of open scopes become the root's, in declaration order, and its
 * thread stands before the first unit.
 */
export function beginToCleanUp(draft: Draft, { path }: CleanUpStarted): void {
  closeWaits(draft, () => true);
  const root = scopeOf(draft, ROOT_SCOPE);
  const writes = mergedWrites(draft);
  let chars = charsOfKeys(writes.size);
  writes.forEach((write) => {
    chars += write.chars;
  });
  draft.scopes.forEach((scope) => {
    draft.stateChars -= scope.chars;
  });
  draft.forks.forEach((fanOut) => {
    draft.stateChars -= fanOut.chars;
  });
  const cleared: Scope = {
    ...root,
    writes,
    chars,
    passes: root.passes.clear(),
    rounds: root.rounds.clear(),
    tries: root.tries.clear(),
    closing: null,
    cursor: { phase: 'entering', path },
  };
  draft.stateChars += chars;
  draft.scopes = draft.scopes.clear().set(ROOT_SCOPE, cleared);
  draft.forks = draft.forks.clear();
  if (draft.cancelling !== null) draft.cancelling = { ...draft.cancelling, isCleaningUp: true };
}

/** Closes waits. A frozen one is closed together with the pause that freezes it. */
export function closeWaits(draft: Draft, isOver: (wait: Wait) => boolean): void {
  for (const { id } of byId(draft.waits.values())) {
    const wait = draft.waits.get(id);
    if (wait !== undefined && isOver(wait)) closeWait(draft, wait);
  }
}
