import type { ScopeId } from '../../log/event-base.js';
import { childScopesOf, fanOutAt } from '../../state/child-scopes.js';
import { locationOfScope, ROOT_SCOPE, type Cursor } from '../../state/scope.js';
import type { Draft, RunState } from '../../state/state.js';
import { closeWait } from '../../waits/state-indexes.js';
import { kindOf } from '../../waits/kinds.js';
import { closeDeadlines } from './deadlines.js';

/**
 * Drops every wait and scope inside a scope that closes early; the scope itself stays. Like `parkInside`, it walks from
 * cursor to cursor, so it costs as much as the branch holds, whatever else is open: a wait stands at a cursor, or is the
 * pause that freezes one that does.
 */
export function dropInside(draft: Draft, id: ScopeId): void {
  const scope = draft.scopes.get(id);
  if (scope === undefined) return;
  const { cursor } = scope;
  closeWaitAt(draft, cursor);
  closeDeadlines(draft, scope);
  for (const child of childScopesOf(draft, id, cursor)) {
    dropInside(draft, child);
    draft.stateChars -= draft.scopes.get(child)?.chars ?? 0;
    draft.scopes = draft.scopes.delete(child);
  }
  const key = fanOutAt(id, cursor);
  if (key === null) return;
  draft.stateChars -= draft.forks.get(key)?.chars ?? 0;
  draft.forks = draft.forks.delete(key);
}

/**
 * Like `dropInside`, for a branch that a resumed run takes up again: what completed inside stays, and every thread that
 * waited stands in front of what it waited for. Nothing moves there until the branch is reopened.
 */
export function parkInside(draft: Draft, id: ScopeId): void {
  const scope = draft.scopes.get(id);
  if (scope === undefined) return;
  const { cursor } = scope;
  for (const child of childScopesOf(draft, id, cursor)) parkInside(draft, child);
  closeDeadlines(draft, scope);
  if (cursor.phase !== 'waiting') return;
  const wait = draft.waits.get(cursor.id);
  if (wait === undefined) return;
  const parkedAt = kindOf(wait).parked(wait);
  closeWait(draft, wait);
  if (parkedAt !== null) draft.scopes = draft.scopes.set(id, { ...scope, cursor: parkedAt });
}

/** True inside a branch that failed and keeps its inside for a resume: no thread moves there. */
export function isParked({ scopes }: RunState, id: ScopeId): boolean {
  for (let outer = id; outer !== ROOT_SCOPE;) {
    outer = locationOfScope(outer).parent;
    if (scopes.get(outer)?.cursor.phase === 'closed') return true;
  }
  return false;
}

function closeWaitAt(draft: Draft, cursor: Cursor): void {
  const wait = cursor.phase === 'waiting' ? draft.waits.get(cursor.id) : undefined;
  if (wait !== undefined) closeWait(draft, wait);
}
