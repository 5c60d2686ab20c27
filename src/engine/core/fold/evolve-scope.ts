import { Map } from 'immutable';
import { dropInside, parkInside } from './close-early.js';
import type { BranchClosed, ItemsOpened, NodeClosed, NodePath, ScopeId } from '../log/event.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { Cursor, Scope, Write } from '../state/scope.js';
import { childScope, forkKey, placeOfScope, ROOT_SCOPE } from '../state/scope.js';
import type { RunState } from '../state/state.js';

const EMPTY_SCOPE = {
  writes: Map<string, Write>(),
  passes: Map<NodePath, number>(),
  rounds: Map<NodePath, never>(),
};

/** The root scope of a run whose input keys are the first keys of the state. */
export function startRootScope(input: JsonObject, seq: number): RunState['scopes'] {
  const root: Scope = {
    ...EMPTY_SCOPE,
    writes: writeAll(EMPTY_SCOPE.writes, Object.entries(input), seq),
    cursor: { phase: 'entering', path: '' },
  };
  return Map<ScopeId, Scope>().set(ROOT_SCOPE, root);
}

export function writeAll(
  writes: Map<string, Write>,
  entries: readonly (readonly [string, JsonValue])[],
  seq: number,
): Map<string, Write> {
  let written = writes;
  let index = 0;
  for (const [key, value] of entries) written = written.set(key, { seq, index: index++, value });
  return written;
}

/** Changes one scope, and opens it (and its fork, and the scopes around it) when the event is its first. */
export function updateScope(state: RunState, id: ScopeId, change: (scope: Scope) => Scope): RunState {
  const scope = state.scopes.get(id);
  if (scope !== undefined) return { ...state, scopes: state.scopes.set(id, change(scope)) };
  const opened = openScope(state, id);
  const fresh: Scope = { ...EMPTY_SCOPE, cursor: { phase: 'entering', path: '' } };
  return { ...opened, scopes: opened.scopes.set(id, change(fresh)) };
}

/** Moves a scope's thread; null: it stands where it stood (the run is over). */
export function moveCursor(state: RunState, id: ScopeId, cursor: Cursor | null): RunState {
  return cursor === null ? state : updateScope(state, id, (scope) => ({ ...scope, cursor }));
}

function openScope(state: RunState, id: ScopeId): RunState {
  if (id === ROOT_SCOPE) return state;
  const place = placeOfScope(id);
  const waiting = moveCursor(state, place.parent, { phase: 'forked', path: place.path });
  const fork = waiting.forks.get(place.fork) ?? { items: null, opened: 0, closed: 0 };
  return { ...waiting, forks: waiting.forks.set(place.fork, { ...fork, opened: fork.opened + 1 }) };
}

/** A foreach opened its items, or a delegation took up (or ran out of) a round. */
export function openItems(state: RunState, event: ItemsOpened): RunState {
  const { path, scope, items } = event;
  if (event.kind === 'passes') {
    const forks = state.forks.set(forkKey(scope, path), { items, opened: 0, closed: 0 });
    return moveCursor({ ...state, forks }, scope, { phase: 'forked', path });
  }
  return updateScope(state, scope, (at) => {
    const number = (at.rounds.get(path)?.number ?? 0) + 1;
    const round = { number, delegations: items, next: 0 };
    return {
      ...at,
      rounds: items.length === 0 ? at.rounds.delete(path) : at.rounds.set(path, round),
      cursor: { phase: 'delegating', path },
    };
  });
}

/** Hands out the next delegation of the round that is open at the node, if one is. */
export function takeRound(state: RunState, id: ScopeId, path: NodePath): RunState {
  const round = state.scopes.get(id)?.rounds.get(path);
  if (round === undefined) return state;
  return updateScope(state, id, (scope) => ({
    ...scope,
    rounds: scope.rounds.set(path, { ...round, next: round.next + 1 }),
  }));
}

export function closeBranch(state: RunState, event: BranchClosed): RunState {
  const { scope: id, error, retried } = event;
  const quiet = retried ? parkInside(state, id) : dropInside(state, id);
  const closed = updateScope(quiet, id, (scope) => ({
    ...scope,
    cursor: {
      phase: 'closed',
      path: scope.cursor.path,
      error,
      failedAt: retried ? scope.cursor : null,
    },
  }));
  const { fork: key } = placeOfScope(id);
  const fork = closed.forks.get(key);
  if (fork === undefined) return closed;
  return { ...closed, forks: closed.forks.set(key, { ...fork, closed: fork.closed + 1 }) };
}

/** The join: writes of the child scopes in declaration order, then what the event adds. */
export function closeNode(state: RunState, event: NodeClosed): RunState {
  const { path, scope: id } = event;
  const key = forkKey(id, path);
  const opened = state.forks.get(key)?.opened ?? 0;
  let { scopes } = state;
  let writes = scopes.get(id)?.writes ?? EMPTY_SCOPE.writes;
  for (let index = 0; index < opened; index++) {
    const child = scopes.get(childScope(key, index));
    if (child === undefined) continue;
    if (child.cursor.phase !== 'closed' || child.cursor.error === null) writes = writes.merge(child.writes);
    scopes = scopes.delete(childScope(key, index));
  }
  const joined: RunState = { ...state, scopes, forks: state.forks.delete(key) };
  return updateScope(joined, id, (scope) => ({
    ...scope,
    writes: writeAll(writes, Object.entries(event.writes), event.seq),
    cursor: { phase: 'joined', path },
  }));
}

/** A failed run is tried again: every thread that failed for good goes back to where it can go on from. */
export function retryFailedThreads(state: RunState): RunState {
  let { scopes, forks } = state;
  state.scopes.forEach((scope, id) => {
    const { cursor } = scope;
    if (cursor.phase === 'failed') {
      scopes = scopes.set(id, { ...scope, cursor: readmitted(cursor) });
    } else if (cursor.phase === 'closed' && cursor.failedAt !== null) {
      scopes = scopes.set(id, { ...scope, cursor: readmitted(cursor.failedAt) });
      const { fork: key } = placeOfScope(id);
      const fork = forks.get(key);
      if (fork !== undefined) forks = forks.set(key, { ...fork, closed: fork.closed - 1 });
    }
  });
  return { ...state, scopes, forks };
}

function readmitted(cursor: Cursor): Cursor {
  return cursor.phase === 'failed' ? { phase: 'admitted', path: cursor.path, retry: cursor.retry } : cursor;
}
