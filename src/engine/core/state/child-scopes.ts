import type { ScopeId } from '../log/event-base.js';
import { childScope, fanOutKey, type Cursor } from './scope.js';
import type { RunState } from './state.js';

/** The fan-out that a thread stands at, or stood at when its branch was parked; null: at none. */
export function fanOutAt(id: ScopeId, cursor: Cursor): string | null {
  if (cursor.phase === 'forked') return fanOutKey(id, cursor.path);
  if ((cursor.phase === 'waiting' || cursor.phase === 'unwound') && cursor.over !== undefined)
    return fanOutKey(id, cursor.over.path);
  return cursor.phase === 'closed' && cursor.failedAt !== null ? fanOutAt(id, cursor.failedAt) : null;
}

/** The scopes that were opened at the fan-out where a thread stands, by index. A thread stands at one fan-out at most. */
export function childScopesOf(state: RunState, id: ScopeId, cursor: Cursor): readonly ScopeId[] {
  const key = fanOutAt(id, cursor);
  if (key === null) return [];
  const end = state.forks.get(key)?.end ?? 0;
  return Array.from({ length: end }, (_, index) => childScope(key, index)).filter((child) =>
    state.scopes.has(child),
  );
}

/** How many scopes are open inside of a scope, however deep. */
export function scopesInside(state: RunState, scope: ScopeId): number {
  const cursor = state.scopes.get(scope)?.cursor;
  if (cursor === undefined) return 0;
  const children = childScopesOf(state, scope, cursor);
  return children.reduce((sum, child) => sum + scopesInside(state, child), children.length);
}
