import { isBrokenOff, isUndoable, owe } from '../fold/closing/debts.js';
import { visitDue, withDue, withoutEarliest, type DueHeap } from '../state/collections/due-heap.js';
import { CHARS_OF_A_WAIT } from '../state/overhead.js';
import type { Draft, RunState } from '../state/state.js';
import { EMPTY_INDEXES } from '../state/state.js';
import { byId, type WaitActivity, type Wait } from '../state/wait.js';

/**
 * The ways in which the waits of a run change, and no others: so the counts, the earliest due instant and the
 * size of the state are always those of the waits that are open.
 */
export function openWait(draft: Draft, wait: Wait): void {
  draft.waits = draft.waits.set(wait.id, wait);
  draft.stateChars += wait.chars + CHARS_OF_A_WAIT;
  count(draft, wait.standing, 1);
  if (wait.dueAt !== null) addDue(draft, wait.dueAt, wait.id);
  if (isUndoable(wait)) draft.undoableCalls = draft.undoableCalls.set(wait.id, true);
}

/** Closing a frozen wait closes the pause that freezes it, too: there is nothing left to resume. */
export function closeWait(draft: Draft, wait: Wait): void {
  draft.waits = draft.waits.delete(wait.id);
  draft.stateChars -= wait.chars + CHARS_OF_A_WAIT;
  count(draft, wait.standing, -1);
  if (wait.dueAt !== null) dropDue(draft);
  if (isUndoable(wait)) draft.undoableCalls = draft.undoableCalls.delete(wait.id);
  if (isBrokenOff(draft.waits, wait, draft.eventAt))
    owe(draft, wait, { seq: draft.seq + 1, output: null, status: 'unknown' });
  const pause = wait.heldBy === null ? undefined : draft.waits.get(wait.heldBy);
  if (pause !== undefined) closeWait(draft, pause);
}

export function changeWait(draft: Draft, before: Wait, after: Wait): void {
  draft.waits = draft.waits.set(after.id, after);
  draft.stateChars += after.chars - before.chars;
  if (before.standing !== after.standing) {
    count(draft, before.standing, -1);
    count(draft, after.standing, 1);
  }
  if (before.dueAt === after.dueAt) return;
  if (after.dueAt !== null) addDue(draft, after.dueAt, after.id);
  if (before.dueAt !== null) dropDue(draft);
}

/** Takes all waits away and closes none: whoever keeps them opens them again later. */
export function setWaitsAside(draft: Draft): void {
  for (const { chars, standing } of draft.waits.values()) {
    draft.stateChars -= chars + CHARS_OF_A_WAIT;
    count(draft, standing, -1);
  }
  draft.waits = draft.waits.clear();
  draft.due = null;
  draft.passed = null;
  draft.dueEntries = 0;
  draft.dueWaits = 0;
  draft.undoableCalls = draft.undoableCalls.clear();
}

/** Builds the indexes of waits that were read from somewhere; `stateChars` counts the waits alone. */
export function openIndexes(draft: Draft, waits: Iterable<Wait>): void {
  Object.assign(draft, EMPTY_INDEXES);
  draft.waits = draft.waits.clear();
  for (const wait of waits) openWait(draft, wait);
}

/**
 * Epoch ms of the earliest instant at which the run has to be woken: a wait falls due after `now`, or is due and nothing
 * came of it. What the shell acts upon by itself once it is due (see `WaitKind.due`) needs no wake-up.
 */
export function nextLookAt(
  state: RunState,
  now: number,
  isActedUpon: (wait: Wait) => boolean,
): number | null {
  let earliest = Infinity;
  const visit = (dueAt: number, id: number): boolean => {
    if (dueAt >= earliest) return false;
    const wait = state.waits.get(id);
    if (wait?.dueAt !== dueAt || (dueAt <= now && isActedUpon(wait))) return true;
    earliest = dueAt;
    return false;
  };
  visitDue(state.due, visit);
  // After the clock went back, what had been due comes due again.
  if (now < state.eventAt) visitDue(state.passed, visit);
  return earliest === Infinity ? null : earliest;
}

/**
 * Moves what was due by the last event and is acted upon by the shell to `passed`. A thousand retries that wait for slots
 * would else stand in front of what comes next, and be skipped again and again.
 */
export function passDue(draft: Draft, isActedUpon: (wait: Wait) => boolean): void {
  for (let { due } = draft; due !== null && due.dueAt <= draft.eventAt; due = draft.due) {
    const wait = draft.waits.get(due.id);
    if (wait?.dueAt !== due.dueAt) draft.dueEntries--;
    else if (!isActedUpon(wait)) return;
    else draft.passed = withDue(draft.passed, due.dueAt, due.id);
    draft.due = withoutEarliest(due);
  }
}

/** The waits that are due by an instant and have something to do then, by id. Costs as much as there are. */
export function waitsDueBy(state: RunState, at: number): readonly Wait[] {
  const due = new Set<Wait>();
  visitDue(state.due, (dueAt, id) => {
    if (dueAt > at) return false;
    const wait = state.waits.get(id);
    if (wait?.dueAt === dueAt) due.add(wait);
    return true;
  });
  return byId(due);
}

function count(draft: Draft, activity: WaitActivity, by: 1 | -1): void {
  switch (activity) {
    case 'in-flight':
      draft.inFlight += by;
      return;
    case 'moving':
      draft.moving += by;
      return;
    case 'people':
      draft.forPeople += by;
      return;
    case 'stop':
      draft.stops += by;
      return;
    case 'aside':
      draft.suspensions += by;
      return;
    case 'held':
    case 'deadline':
      return;
  }
}

function addDue(draft: Draft, dueAt: number, id: number): void {
  draft.due = withDue(draft.due, dueAt, id);
  draft.dueEntries++;
  draft.dueWaits++;
}

/** A wait is due no more. Its entry stays where it is, unless it is the earliest or there are too many like it. */
function dropDue(draft: Draft): void {
  draft.dueWaits--;
  draft.due = withoutPast(draft, draft.due);
  draft.passed = withoutPast(draft, draft.passed);
  if (draft.dueEntries > 2 * draft.dueWaits + 32) clean(draft);
}

/** The heap without outdated entries at its top. */
function withoutPast(draft: Draft, heap: DueHeap | null): DueHeap | null {
  let left = heap;
  for (; left !== null && !holds(draft, left); left = withoutEarliest(left)) draft.dueEntries--;
  return left;
}

function holds({ waits }: RunState, { dueAt, id }: Pick<DueHeap, 'dueAt' | 'id'>): boolean {
  return waits.get(id)?.dueAt === dueAt;
}

function clean(draft: Draft): void {
  let due: DueHeap | null = null;
  let entries = 0;
  const seen = new Set<number>();
  const keep = (dueAt: number, id: number): boolean => {
    if (!seen.has(id) && holds(draft, { dueAt, id })) {
      seen.add(id);
      due = withDue(due, dueAt, id);
      entries++;
    }
    return true;
  };
  visitDue(draft.due, keep);
  visitDue(draft.passed, keep);
  draft.passed = null;
  draft.due = due;
  draft.dueEntries = entries;
}
