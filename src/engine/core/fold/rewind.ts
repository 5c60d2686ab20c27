import { admitted, type Cursor } from '../state/scope.js';
import type { Draft, RunState } from '../state/state.js';
import { closeWait } from '../waits/books.js';
import { kindOf } from '../waits/kinds.js';

/**
 * Puts an old state back. What was spent stays spent, of the budget that was given last; decisions stay on record, those
 * that it goes back behind as taken back, and every wait that was open then is opened anew, under a new id: its thread is put in front of it.
 */
export function restore(draft: Draft, prefix: RunState, toSeq: number): void {
  const { usage, largestUsage, budget, activeMs, activeSince, isOnItsOwn, followedSeq, endedSeq } = draft;
  // None is ever removed: as many are the same ones.
  const decisions =
    draft.decisions.size === prefix.decisions.size
      ? prefix.decisions
      : draft.decisions.map(
          (decision, gateId) => prefix.decisions.get(gateId) ?? { ...decision, isTakenBack: true as const },
        );
  const ofFamily = { isOnItsOwn, followedSeq, endedSeq };
  const kept = { decisions, usage, largestUsage, budget, activeMs, activeSince, ...ofFamily };
  Object.assign(draft, prefix, kept);
  draft.phase = 'live';
  draft.error = null;
  draft.checkpoint = toSeq;
  const stands = new Map<number, Cursor>();
  prefix.waits.forEach((wait) => {
    // What another wait held went with it.
    if (!draft.waits.has(wait.id)) return;
    const after = kindOf(wait).rewound(wait, toSeq);
    if (after === 'stays') return;
    closeWait(draft, wait);
    if (after !== null) stands.set(wait.id, after);
  });
  draft.scopes = prefix.scopes.map((scope) => {
    const cursor = reopened(scope.cursor, stands);
    return cursor === scope.cursor ? scope : { ...scope, cursor };
  });
}

function reopened(cursor: Cursor, stands: ReadonlyMap<number, Cursor>): Cursor {
  if (cursor.phase === 'waiting') return stands.get(cursor.id) ?? cursor;
  return cursor.phase === 'failed' ? admitted(cursor.path) : cursor;
}
