import { Map } from 'immutable';
import type { Rewound } from '../log/event.js';
import type { Cursor } from '../state/scope.js';
import type { RunState } from '../state/state.js';
import { decodeState } from '../state/state-codec.js';

/**
 * Puts the old state back. What was spent stays spent, decisions stay on record, and every wait that was
 * open then is opened anew, under a new id: its thread is put in front of it.
 */
export function restoreRewound(state: RunState, event: Rewound): RunState {
  const old = decodeState(event.state);
  const lifted = old.pauses.get(event.toSeq);
  const scopes = old.scopes.map((scope) => ({ ...scope, cursor: reopened(scope.cursor, event.toSeq) }));
  return {
    ...old,
    phase: 'live',
    error: null,
    scopes,
    executions: Map(),
    gates: Map(),
    timers: Map(),
    pauses: old.pauses.filter((pause) => pause !== lifted && pause.executionId === null),
    decisions: state.decisions,
    usage: state.usage,
    activeMs: state.activeMs,
    activeSince: state.activeSince,
    checkpoint: event.toSeq,
  };
}

function reopened(cursor: Cursor, toSeq: number): Cursor {
  switch (cursor.phase) {
    case 'executing':
    case 'at-gate':
    case 'at-timer':
    case 'failed':
      return { phase: 'admitted', path: cursor.path, retry: null };
    case 'paused':
      return cursor.id === toSeq ? cursor.then : cursor;
    case 'closed':
      return cursor;
    default:
      return cursor;
  }
}
