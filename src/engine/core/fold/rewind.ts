import { admitted, type Cursor } from '../state/scope.js';
import type { Draft, RunState } from '../state/state.js';
import { closeWait } from '../waits/state-indexes.js';
import { kindOf } from '../waits/kinds.js';

/**
 * Puts an old state back. What was spent stays spent, under the budget that was given last. Decisions stay on record, those
 * from after the base state as taken back. Every wait that was open then is opened anew, under a new id: its thread is put
 * in front of it.
 */
export function restore(draft: Draft, baseState: RunState, toSeq: number): void {
  const { usage, largestUsage, budget, activeMs, activeSince, isOnItsOwn, followedSeq, endedSeq } = draft;
  // Decisions are never removed: maps of the same size hold the same ones.
  const decisions =
    draft.decisions.size === baseState.decisions.size
      ? baseState.decisions
      : draft.decisions.map(
          (decision, gateId) =>
            baseState.decisions.get(gateId) ?? { ...decision, isTakenBack: true as const },
        );
  const ofFamily = { isOnItsOwn, followedSeq, endedSeq };
  const kept = { decisions, usage, largestUsage, budget, activeMs, activeSince, ...ofFamily };
  Object.assign(draft, baseState, kept);
  draft.phase = 'live';
  draft.error = null;
  draft.checkpoint = toSeq;
  const cursors = new Map<number, Cursor>();
  baseState.waits.forEach((wait) => {
    // A pause is closed together with the wait that it freezes.
    if (!draft.waits.has(wait.id)) return;
    const after = kindOf(wait).rewound(wait, toSeq);
    if (after === 'stays') return;
    closeWait(draft, wait);
    if (after !== null) cursors.set(wait.id, after);
  });
  draft.scopes = baseState.scopes.map((scope) => {
    const cursor = reopened(scope.cursor, cursors);
    return cursor === scope.cursor ? scope : { ...scope, cursor };
  });
}

function reopened(cursor: Cursor, cursors: ReadonlyMap<number, Cursor>): Cursor {
  if (cursor.phase === 'waiting') return cursors.get(cursor.id) ?? cursor;
  return cursor.phase === 'failed' ? admitted(cursor.path) : cursor;
}
