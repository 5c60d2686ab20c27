import type { RunState } from '../state.js';
import { isRunClosing } from '../status.js';

/**
 * Whether there is no way back to the base state, an earlier state of the run: it rests on a call of which the compensation was called
 * since, so that what follows from there would go on from what is gone; or all of the run was being undone there. What was undone
 * by then, and what the run had left behind, does not count.
 */
export function restsOnUndone(baseState: RunState, { debts }: RunState): boolean {
  const { debts: before } = baseState;
  if (isRunClosing(baseState) && before.some(({ isTried }) => isTried === true)) return true;
  return before.some(
    ({ isLeftBehind, isTried }, id) =>
      isLeftBehind !== true && isTried !== true && debts.get(id)?.isTried === true,
  );
}

/** Seq of the first event that the base state rests on and that was undone since; null: there is none. */
export function undoneBefore({ debts: before }: RunState, { debts }: RunState): number | null {
  let first: number | null = null;
  before.forEach(({ isLeftBehind, seq }, id) => {
    if (isLeftBehind !== true && debts.get(id)?.isTried === true) first = Math.min(first ?? seq, seq);
  });
  return first;
}
