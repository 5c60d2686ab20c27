import { admitted, overFanOut, type Cursor } from '../state/scope.js';
import type { Draft, RunState } from '../state/state.js';
import { closeWait } from '../waits/state-indexes.js';
import { takeBackWaits } from './closing/compensate-again.js';
import { debtsAfter, setDebts } from './closing/debts.js';
import { kindOf } from '../waits/kinds.js';

/**
 * Puts an old state back. What was spent stays spent, under the budget that was given last. Decisions stay on record, those
 * from after the base state as taken back. Every wait that was open then is opened anew, under a new id: its thread is put
 * in front of it.
 */
export function restore(draft: Draft, baseState: RunState, toSeq: number, at: number): void {
  const { usage, largestUsage, budget, activeMs, activeSince, isOnItsOwn, followedSeq, endedSeq } = draft;
  // What was broken off when the run failed stays unknown.
  takeBackWaits(draft);
  const debts = debtsAfter(draft, baseState, at);
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
  // What a state may lack would else stay as it is.
  delete draft.isUnwound;
  delete draft.output;
  delete draft.again;
  delete draft.cancelledBy;
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
  setDebts(draft, debts);
  const undone = keysOfUndone(debts);
  draft.scopes = baseState.scopes.map((scope) => {
    const cursor = reopened(scope.cursor, cursors, undone);
    return cursor === scope.cursor ? scope : { ...scope, cursor };
  });
}

/** By key, the calls that were undone: the same key would give what is gone. */
function keysOfUndone(debts: RunState['debts']): ReadonlySet<number> {
  const keys = new Set<number>();
  debts.forEach(({ isTried, key }) => {
    if (isTried === true) keys.add(key);
  });
  return keys;
}

function reopened(cursor: Cursor, cursors: ReadonlyMap<number, Cursor>, undone: ReadonlySet<number>): Cursor {
  if (cursor.phase === 'waiting') return overFanOut(cursor) ?? cursors.get(cursor.id) ?? cursor;
  return cursor.phase === 'failed' ? admitted(cursor.path) : withoutUndone(cursor, undone);
}

/** The cursor at which a call is made again, under a key of its own where its old one was undone. */
function withoutUndone(cursor: Cursor, undone: ReadonlySet<number>): Cursor {
  if (cursor.phase === 'closed') {
    const { failedAt } = cursor;
    return failedAt === null ? cursor : { ...cursor, failedAt: withoutUndone(failedAt, undone) };
  }
  if (cursor.phase !== 'admitted' && cursor.phase !== 'failed') return cursor;
  return cursor.retry !== null && undone.has(cursor.retry.key) ? { ...cursor, retry: null } : cursor;
}
