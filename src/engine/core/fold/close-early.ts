import type { Map } from 'immutable';
import type { ScopeId } from '../log/event.js';
import { isWithin, placeOfScope, ROOT_SCOPE, type Cursor } from '../state/scope.js';
import { retryOf } from '../state/execution-input.js';
import type { RunState } from '../state/state.js';

/** Only a thread that stands so has something open; of the others nothing has to be looked for. */
const HOLDS_WAITS: ReadonlySet<Cursor['phase']> = new Set([
  'executing',
  'at-gate',
  'at-timer',
  'paused',
  'forked',
]);

/** Drops every wait and scope inside a scope that closes early; the scope itself stays. */
export function dropInside(state: RunState, id: ScopeId): RunState {
  const cursor = state.scopes.get(id)?.cursor;
  if (cursor === undefined || !HOLDS_WAITS.has(cursor.phase)) return state;
  const dropped = dropWaits(state, id);
  if (cursor.phase !== 'forked') return dropped;
  return {
    ...dropped,
    scopes: dropped.scopes.filterNot((_, other) => other !== id && isWithin(other, id)),
    forks: dropped.forks.filterNot((_, key) => key.startsWith(`${id}>`)),
  };
}

/**
 * As `dropInside`, for a branch that a resumed run takes up again: what completed inside stays, and every
 * thread that waited stands in front of what it waited for. Nothing moves there until the branch is reopened.
 */
export function parkInside(state: RunState, id: ScopeId): RunState {
  const cursor = state.scopes.get(id)?.cursor;
  if (cursor === undefined || !HOLDS_WAITS.has(cursor.phase)) return state;
  let { scopes } = state;
  const stand = (scope: ScopeId, at: (cursor: Cursor) => Cursor): void => {
    const waiting = isWithin(scope, id) ? scopes.get(scope) : undefined;
    if (waiting !== undefined) scopes = scopes.set(scope, { ...waiting, cursor: at(waiting.cursor) });
  };
  state.executions.forEach((execution) => {
    const { scope, path } = execution;
    stand(scope, () => ({ phase: 'admitted', path, retry: retryOf(execution) }));
  });
  for (const waits of [state.gates, state.timers]) {
    waits.forEach(({ scope, path }) => stand(scope, () => ({ phase: 'admitted', path, retry: null })));
  }
  state.pauses.forEach(({ scope }) => stand(scope, (at) => (at.phase === 'paused' ? at.then : at)));
  return dropWaits({ ...state, scopes }, id);
}

/** True inside a branch that failed and keeps its inside for a resume: no thread moves there. */
export function isParked({ scopes }: RunState, id: ScopeId): boolean {
  for (let outer = id; outer !== ROOT_SCOPE;) {
    outer = placeOfScope(outer).parent;
    if (scopes.get(outer)?.cursor.phase === 'closed') return true;
  }
  return false;
}

function dropWaits(state: RunState, id: ScopeId): RunState {
  const within = <T extends { readonly scope: ScopeId }>(waits: Map<number, T>): Map<number, T> =>
    waits.size === 0 ? waits : waits.filterNot((wait) => isWithin(wait.scope, id));
  return {
    ...state,
    executions: within(state.executions),
    gates: within(state.gates),
    timers: within(state.timers),
    pauses: within(state.pauses),
  };
}
