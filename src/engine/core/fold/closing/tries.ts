import type { Location, NodePath } from '../../log/event-base.js';
import type { FailureCaught, FinallyBegun, TryLeft } from '../../log/event.js';
import { closingAround } from '../../state/closings.js';
import { fanOutAt, childScopesOf } from '../../state/child-scopes.js';
import { locationOfScope, type Cursor, type OpenTry, type Scope } from '../../state/scope.js';
import { charsOfKeys } from '../../state/overhead.js';
import type { Draft } from '../../state/state.js';
import { dropInputsInside } from '../../state/unit-inputs.js';
import { closeWait } from '../../waits/state-indexes.js';
import { replaceError } from './closing.js';
import { closeDeadline, closeDeadlines } from './deadlines.js';
import { scopeOf, UNOPENED } from '../scopes.js';

/** The thread stands before the `catch`. */
export function catchFailure(draft: Draft, { path, scope, error }: FailureCaught): void {
  toStage(draft, { path, scope }, { stage: 'catch', error, exit: null });
}

/** The thread stands before the `finally`. */
export function beginFinally(draft: Draft, { path, scope, error, exit }: FinallyBegun): void {
  toStage(draft, { path, scope }, { stage: 'finally', error, exit });
}

/** The thread has left the try, fails at it, or leaves the rest to whoever closes what is around it. */
export function leaveTry(draft: Draft, { path, scope: id, error, exit }: TryLeft): void {
  closeInside(draft, id, path);
  const scope = scopeOf(draft, id);
  const open = scope.tries.get(path);
  if (open !== undefined) closeDeadline(draft, open);
  const cursor = afterTry(path, { error, exit });
  const closing = closingAround(scope.closing, path);
  draft.scopes = draft.scopes.set(id, { ...scope, closing, tries: scope.tries.delete(path), cursor });
  if (exit.kind === 'unwind' && error !== null) replaceError(draft, id, error);
}

function afterTry(path: NodePath, { error, exit }: Pick<TryLeft, 'error' | 'exit'>): Cursor {
  if (exit.kind === 'leave') return { phase: 'left', path, metadata: exit.metadata };
  if (exit.kind === 'unwind' || error === null) return { phase: 'unwound', path };
  const { message, path: _path, ...facts } = error;
  return { phase: 'failed', path, error: message, retry: null, facts };
}

/** What is open inside ends as it stands, and the try goes on with another part of it. */
function toStage(
  draft: Draft,
  { path, scope: id }: Location,
  next: Pick<OpenTry, 'stage' | 'error' | 'exit'>,
): void {
  closeInside(draft, id, path);
  const scope = scopeOf(draft, id);
  const open = scope.tries.get(path);
  if (open === undefined) return;
  closeDeadline(draft, open);
  const closing = closingAround(scope.closing, path);
  draft.scopes = draft.scopes.set(id, {
    ...scope,
    closing,
    tries: scope.tries.set(path, { ...open, ...next }),
    cursor: { phase: 'trying', path },
  });
}

/** Scopes inside of the node become part of the scope that it stands in, and what its flows remember is forgotten. */
function closeInside(draft: Draft, id: string, path: NodePath): void {
  absorbChildren(draft, id);
  dropInputsInside(draft, { path, scope: id });
  const scope = scopeOf(draft, id);
  const isInside = (key: NodePath): boolean => key.startsWith(`${path}/`);
  let { passes, rounds, tries } = scope;
  scope.passes.forEach((_pass, key) => {
    if (isInside(key)) passes = passes.delete(key);
  });
  scope.rounds.forEach((_round, key) => {
    if (isInside(key)) rounds = rounds.delete(key);
  });
  scope.tries.forEach((open, key) => {
    if (!isInside(key)) return;
    closeDeadline(draft, open);
    tries = tries.delete(key);
  });
  draft.scopes = draft.scopes.set(id, { ...scope, passes, rounds, tries });
}

/**
 * The writes of all open scopes inside become the scope's own, as declared; what they waited for is closed. Of a race that failed,
 * only the branch counts with which it did.
 */
function absorbChildren(draft: Draft, id: string): void {
  const scope = draft.scopes.get(id);
  if (scope === undefined) return;
  const { cursor } = scope;
  const wait = cursor.phase === 'waiting' ? draft.waits.get(cursor.id) : undefined;
  if (wait !== undefined) closeWait(draft, wait);
  const key = fanOutAt(id, cursor);
  if (key === null) return;
  let merged: Pick<Scope, 'writes' | 'chars'> = scope;
  const { decidedBy } = draft.forks.get(key) ?? UNOPENED;
  for (const child of childScopesOf(draft, id, cursor)) {
    absorbChildren(draft, child);
    const inner = draft.scopes.get(child);
    if (inner === undefined) continue;
    closeDeadlines(draft, inner);
    if (decidedBy === undefined || locationOfScope(child).index === decidedBy)
      merged = withWritesOf(merged, inner);
    draft.stateChars -= inner.chars;
    draft.scopes = draft.scopes.delete(child);
  }
  draft.stateChars += merged.chars - scope.chars - (draft.forks.get(key)?.chars ?? 0);
  draft.forks = draft.forks.delete(key);
  draft.scopes = draft.scopes.set(id, { ...scope, writes: merged.writes, chars: merged.chars });
}

/** The writes with those of another scope over them. */
function withWritesOf(
  around: Pick<Scope, 'writes' | 'chars'>,
  inner: Pick<Scope, 'writes'>,
): Pick<Scope, 'writes' | 'chars'> {
  if (inner.writes.size === 0) return around;
  let chars = around.chars - charsOfKeys(around.writes.size);
  inner.writes.forEach((write, name) => {
    chars += write.chars - (around.writes.get(name)?.chars ?? 0);
  });
  const writes = around.writes.merge(inner.writes);
  return { writes, chars: chars + charsOfKeys(writes.size) };
}
