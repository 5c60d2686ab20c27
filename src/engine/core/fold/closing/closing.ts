import type { NodePath, ScopeId } from '../../log/event-base.js';
import type { Failure } from '../../log/failure.js';
import { childScopesOf } from '../../state/child-scopes.js';
import { closingsOf, isAtOrInside, isInside, nested, runningFinally } from '../../state/closings.js';
import { isCompensation } from '../../state/debts/debt.js';
import { reachedAt, type ReachedDebt } from '../../state/debts/debts-by-age.js';
import {
  locationOfScope,
  overFanOut,
  ROOT_SCOPE,
  type Closing,
  type Cursor,
  type Scope,
} from '../../state/scope.js';
import type { Draft } from '../../state/state.js';
import { closeWait } from '../../waits/state-indexes.js';
import { closeDeadline } from './deadlines.js';
import { scopeOf } from '../scopes.js';

/**
 * What is open inside closes early: what was waited for there is closed, but for what a `finally` waits for that runs, and what
 * undoes what was done. A closing inside that has something to undo comes to its end first; what it was for does not follow.
 */
export function beginClosing(draft: Draft, id: ScopeId, at: number, closing: Closing): void {
  // Whether a call that is broken off was made by now.
  draft.eventAt = at;
  halt(draft, id, closing.path);
  const scope = scopeOf(draft, id);
  const open = closingsOf(scope.closing);
  const isInner = ({ path }: Closing): boolean => isAtOrInside(path, closing.path);
  const around = open.filter((one) => !isInner(one));
  draft.scopes = draft.scopes.set(id, {
    ...scope,
    closing: nested([...open.filter(isInner), closing, ...around]),
  });
  const isOfRun = id === ROOT_SCOPE && closing.path === '';
  if (isOfRun && draft.cancelling !== null) draft.cancelling = { ...draft.cancelling, isCleaningUp: true };
}

function halt(draft: Draft, id: ScopeId, path: NodePath | ''): void {
  const scope = scopeOf(draft, id);
  const running = runningFinally(scope.tries, path);
  scope.tries.forEach((open, at) => {
    if (isInside(at, path) && (running === null || running[0].startsWith(`${at}/`)))
      closeDeadline(draft, open);
    // Of the node itself, too: its time is over.
    if (at === path) closeDeadline(draft, open);
  });
  const closing = overtaken(scope, path, running?.[0] ?? null);
  if (running !== null) {
    const tries = scope.tries.set(running[0], { ...running[1], exit: { kind: 'unwind' } });
    draft.scopes = draft.scopes.set(id, { ...scope, tries, closing });
    return;
  }
  const { cursor } = scope;
  for (const child of childScopesOf(draft, id, cursor)) halt(draft, child, '');
  const wait = cursor.phase === 'waiting' ? draft.waits.get(cursor.id) : undefined;
  if (wait !== undefined && isCompensation(wait)) {
    draft.scopes = draft.scopes.set(id, { ...scope, closing });
    return;
  }
  if (wait !== undefined) closeWait(draft, wait);
  const halted: Cursor =
    cursor.phase === 'waiting' ? (overFanOut(cursor) ?? { phase: 'unwound', path: cursor.path }) : cursor;
  draft.scopes = draft.scopes.set(id, { ...scope, closing, cursor: halted });
}

/** The closings of the scope that stay: those around the path, those of a `finally` that runs, and those that undo. */
function overtaken({ closing }: Scope, path: NodePath | '', running: NodePath | null): Closing | null {
  return nested(
    closingsOf(closing).flatMap((one) => {
      if (!isAtOrInside(one.path, path) || (running !== null && isInside(one.path, running))) return [one];
      return one.since === undefined ? [] : [{ ...one, isOvertaken: true as const }];
    }),
  );
}

/** What the scope closes begins to be undone. */
export function beginUndoing(draft: Draft, id: ScopeId): void {
  setReached(draft, id, null);
}

/** The call is undone next; those that came after it have been. */
export function continueUndoing(draft: Draft, id: ScopeId, executionId: number): void {
  const before = draft.scopes.get(id)?.closing?.undoing?.reached ?? null;
  setReached(draft, id, reachedAt(draft, executionId, before));
}

function setReached(draft: Draft, id: ScopeId, reached: ReachedDebt | null): void {
  const scope = scopeOf(draft, id);
  if (scope.closing === null) return;
  draft.scopes = draft.scopes.set(id, { ...scope, closing: { ...scope.closing, undoing: { reached } } });
  if (!draft.undoingScopes.has(id)) draft.undoingScopes = draft.undoingScopes.set(id, true);
}

/** Nothing is left to undo: what the closing was for comes next, or the one that came over it. */
export function endUndoing(draft: Draft, id: ScopeId): void {
  const scope = scopeOf(draft, id);
  if (scope.closing === null) return;
  const { since: _since, undoing: _undoing, except: _except, ...closing } = scope.closing;
  const next: Closing | null = closing.isOvertaken === true ? (closing.around ?? null) : closing;
  draft.scopes = draft.scopes.set(id, { ...scope, closing: next });
  if (next?.undoing === undefined) draft.undoingScopes = draft.undoingScopes.delete(id);
}

/** A `finally` that ran because something around it closes has failed: its failure is the one that counts. */
export function replaceError(draft: Draft, id: ScopeId, error: Failure): void {
  for (let at = id; ; at = locationOfScope(at).parent) {
    const scope = draft.scopes.get(at);
    const open = closingsOf(scope?.closing ?? null);
    const nearest = open.findIndex(({ isOvertaken }) => isOvertaken !== true);
    if (scope !== undefined && nearest !== -1) {
      const closing = nested(open.map((one, index) => (index === nearest ? { ...one, error } : one)));
      draft.scopes = draft.scopes.set(at, { ...scope, closing });
      return;
    }
    if (at === ROOT_SCOPE) return;
  }
}
