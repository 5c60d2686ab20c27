import type { JsonValue } from '../../json.js';
import type { Location } from '../../log/event-base.js';
import { charsOfDebt, type Debt, type DoneIn } from '../../state/debts/debt.js';
import { counted, countsOf } from '../../state/debts/debt-counts.js';
import { orderedByAge, withDebt, withoutStaleLinks } from '../../state/debts/debts-by-age.js';
import { inputOf } from '../../state/execution-input.js';
import type { Draft, RunState } from '../../state/state.js';
import { byId, type Wait } from '../../state/wait.js';

/** A call that another unit can undo. */
export interface UndoableCall extends Location {
  readonly id: number;
  readonly unitId: string;
  readonly key: number;
  readonly input?: JsonValue;
  readonly compensable?: DoneIn;
}

export function isUndoable(wait: Wait): wait is Wait & UndoableCall {
  return (wait as Partial<UndoableCall>).compensable !== undefined;
}

/** The open calls that would be broken off if they were closed at that instant; in no order. Costs as much as can be undone. */
export function* brokenOffAt(
  { waits, undoableCalls }: Pick<RunState, 'waits' | 'undoableCalls'>,
  at: number,
): Generator<Wait & UndoableCall> {
  for (const id of undoableCalls.keys()) {
    const wait = waits.get(id);
    if (wait !== undefined && isBrokenOff(waits, wait, at)) yield wait;
  }
}

/**
 * Whether closing the wait at that instant breaks off a call that another unit can undo, and that may have done its work. A call
 * that waits for its retry has not, unless its retry is due; one that a pause freezes has, unless nothing is left of its budget.
 */
export function isBrokenOff(waits: RunState['waits'], wait: Wait, at: number): wait is Wait & UndoableCall {
  if (!isUndoable(wait)) return false;
  const { mayBeDone } = wait as { readonly mayBeDone?: boolean };
  if (mayBeDone === true || wait.standing === 'in-flight') return true;
  if (wait.heldBy === null) return wait.dueAt !== null && wait.dueAt <= at;
  const pause = waits.get(wait.heldBy) as (Wait & { readonly reason?: string }) | undefined;
  return pause !== undefined && pause.reason !== 'budget';
}

/** How a call ended that may have done its work. */
interface CallEnd {
  readonly seq: number;
  readonly output: JsonValue;
  readonly status: 'owed' | 'unknown';
}

/**
 * The call was done, or may have been. One that was made again under the key of an earlier one is the same: what is known of it
 * takes precedence over what is not.
 */
export function owe(draft: Draft, call: UndoableCall, { seq, output, status }: CallEnd): void {
  const { id, unitId, path, scope, key, compensable = {} } = call;
  if (key !== id && isKnown(draft, call, status)) return;
  setDebt(draft, id, {
    unitId,
    path,
    scope,
    input: inputOf(draft, call),
    output,
    in: compensable,
    key,
    seq,
    status,
    known: status === 'owed',
    error: null,
  });
}

/** Whether the same call was done for certain before; what was not known of it is forgotten. */
function isKnown(draft: Draft, { id, key }: UndoableCall, status: CallEnd['status']): boolean {
  let isDone = false;
  draft.debts.forEach((debt, other) => {
    if (debt.key !== key || other === id || debt.isTried === true) return;
    if (status === 'unknown' && debt.status === 'owed') isDone = true;
    else forgive(draft, other);
  });
  return isDone;
}

/**
 * The debts of a run that goes back: all that there are, and the calls that are broken off with it. What was done after the base
 * state is left behind.
 */
export function debtsAfter(draft: Draft, { debts: before }: RunState, at: number): RunState['debts'] {
  for (const call of byId(brokenOffAt(draft, at)))
    owe(draft, call, { seq: draft.seq + 1, output: null, status: 'unknown' });
  return draft.debts.map(({ isLeftBehind: _was, ...debt }, id) => {
    const then = before.get(id);
    return then === undefined || then.isLeftBehind === true ? { ...debt, isLeftBehind: true as const } : debt;
  });
}

export function setDebts(draft: Draft, debts: RunState['debts']): void {
  for (const debt of draft.debts.values()) draft.stateChars -= charsOfDebt(debt);
  for (const debt of debts.values()) draft.stateChars += charsOfDebt(debt);
  draft.debts = debts;
  indexDebts(draft);
}

/** Builds the indexes of debts that were read from somewhere. */
export function indexDebts(draft: Draft): void {
  draft.debtsByAge = orderedByAge(draft.debts);
  draft.debtCounts = countsOf(draft.debts.values());
}

/** What undoes the call is called. */
export function tryCompensation(draft: Draft, id: number): void {
  const debt = draft.debts.get(id);
  if (debt !== undefined && debt.isTried !== true) setDebt(draft, id, { ...debt, isTried: true });
}

/** The call was certainly not done. */
export function forgive(draft: Draft, id: number): void {
  const debt = draft.debts.get(id);
  if (debt === undefined) return;
  draft.stateChars -= charsOfDebt(debt);
  draft.debts = draft.debts.delete(id);
  draft.debtsByAge = withoutStaleLinks(draft);
  draft.debtCounts = counted(draft.debtCounts, debt, -1);
}

/** Its compensation has ended: it is not called again. */
export function endCompensation(draft: Draft, id: number, end: Pick<Debt, 'status' | 'error'>): void {
  const debt = draft.debts.get(id);
  if (debt !== undefined) setDebt(draft, id, { ...debt, ...end });
}

/** The call that should have undone it failed for good. */
export function noteFailedCall(draft: Draft, id: number, error: string): void {
  const debt = draft.debts.get(id);
  if (debt !== undefined) setDebt(draft, id, { ...debt, error });
}

/** What could not be undone is to be tried again, under its old key. */
export function retryFailedCompensations(draft: Draft): void {
  draft.debts.forEach((debt, id) => {
    if (debt.status === 'failed') setDebt(draft, id, { ...debt, status: 'again', error: null });
  });
}

function setDebt(draft: Draft, id: number, debt: Debt): void {
  const before = draft.debts.get(id);
  draft.stateChars += charsOfDebt(debt) - (before === undefined ? 0 : charsOfDebt(before));
  draft.debts = draft.debts.set(id, debt);
  const without = before === undefined ? draft.debtCounts : counted(draft.debtCounts, before, -1);
  draft.debtCounts = counted(without, debt, 1);
  if (before?.seq === debt.seq) return;
  draft.debtsByAge = withDebt(draft.debtsByAge, id, debt.seq);
  if (before !== undefined) draft.debtsByAge = withoutStaleLinks(draft);
}
