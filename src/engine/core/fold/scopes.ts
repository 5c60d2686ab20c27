import { PersistentMap } from '../state/collections/persistent-map.js';
import { approximateChars } from '../json-size.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { NodePath, ScopeId } from '../log/event-base.js';
import type { Cursor, FanOut, Scope, Write } from '../state/scope.js';
import { locationOfScope, ROOT_SCOPE } from '../state/scope.js';
import { CHARS_OF_A_SCOPE, charsOfKeys } from '../state/overhead.js';
import type { Draft } from '../state/state.js';

const CHARS_OF_A_KEY = 4;

const NEW_SCOPE: Scope = {
  cursor: { phase: 'entering', path: '' },
  writes: PersistentMap.empty<string, Write>(),
  chars: 0,
  passes: PersistentMap.empty<NodePath, number>(),
  rounds: PersistentMap.empty<NodePath, never>(),
  tries: PersistentMap.empty<NodePath, never>(),
  closing: null,
  key: null,
};

/** A child's overhead is counted; the root's is not, since every run has a root. */
const NEW_CHILD: Scope = { ...NEW_SCOPE, chars: CHARS_OF_A_SCOPE };

export const UNOPENED: FanOut = { items: null, chars: 0, opened: 0, closed: 0, end: 0 };

type Entry = readonly [key: string, value: JsonValue];

/**
 * Returns the scope; opens it, with its fan-out and the scopes around it, when the event at hand is its first.
 *
 * `stateChars` is always the sum over the scopes, fan-outs and waits: code that writes, opens or drops one updates it.
 */
export function scopeOf(draft: Draft, id: ScopeId): Scope {
  const scope = draft.scopes.get(id);
  if (scope !== undefined) return scope;
  if (id !== ROOT_SCOPE) {
    const { parent, path, fanOut: key, index } = locationOfScope(id);
    moveCursor(draft, parent, { phase: 'forked', path });
    const fanOut = draft.forks.get(key) ?? UNOPENED;
    const end = Math.max(fanOut.end, index + 1);
    draft.forks = draft.forks.set(key, { ...fanOut, opened: fanOut.opened + 1, end });
  }
  const opened = id === ROOT_SCOPE ? NEW_SCOPE : NEW_CHILD;
  draft.stateChars += opened.chars;
  draft.scopes = draft.scopes.set(id, opened);
  return opened;
}

export function moveCursor(draft: Draft, id: ScopeId, cursor: Cursor): void {
  const { writes, chars, passes, rounds, tries, closing, key } = scopeOf(draft, id);
  draft.scopes = draft.scopes.set(id, { cursor, writes, chars, passes, rounds, tries, closing, key });
}

/** The thread of the scope writes, and moves on. */
export function write(
  draft: Draft,
  id: ScopeId,
  entries: readonly Entry[],
  seq: number,
  cursor: Cursor,
): void {
  const scope = scopeOf(draft, id);
  const { writes, chars } = withWrites(scope, entries, seq);
  draft.stateChars += chars - scope.chars;
  const { passes, rounds, tries, closing, key } = scope;
  draft.scopes = draft.scopes.set(id, { cursor, writes, chars, passes, rounds, tries, closing, key });
}

type Written = Pick<Scope, 'writes' | 'chars'>;

export function withWrites(before: Written, entries: readonly Entry[], seq: number): Written {
  if (entries.length === 0) return before;
  const isMany = entries.length > 8;
  let writes = isMany ? before.writes.asMutable() : before.writes;
  let chars = before.chars - charsOfKeys(before.writes.size);
  let index = 0;
  for (const [key, value] of entries) {
    const one = { seq, index: index++, chars: key.length + CHARS_OF_A_KEY + approximateChars(value), value };
    chars += one.chars - (writes.get(key)?.chars ?? 0);
    writes = writes.set(key, one);
  }
  return { writes: isMany ? writes.asImmutable() : writes, chars: chars + charsOfKeys(writes.size) };
}

/** A unit completed: its writes become the scope's, and the thread leaves it once its `pause: after` is past. */
export function finishUnit(
  draft: Draft,
  location: { readonly path: NodePath; readonly scope: ScopeId; readonly unitId: string },
  seq: number,
  entries: readonly Entry[],
  metadata: JsonObject | null = null,
): void {
  const { path, scope, unitId } = location;
  write(draft, scope, entries, seq, { phase: 'ended', path, metadata });
  if (!draft.completed.has(unitId)) draft.completed = draft.completed.set(unitId, seq);
}
