import type { RunForked } from '../log/event.js';
import { closingsOf, nested } from '../state/closings.js';
import { admitted, overFanOut, ROOT_SCOPE, type Cursor, type Scope } from '../state/scope.js';
import type { Draft, RunState } from '../state/state.js';
import { charsOfUnitInputs, giveInput } from '../state/unit-inputs.js';
import { charsOfVars } from '../state/run-vars.js';
import { PersistentMap } from '../state/collections/persistent-map.js';
import { openIndexes } from '../waits/state-indexes.js';
import { kindOf } from '../waits/kinds.js';
import { restartDeadlines } from './closing/deadlines.js';
import { scopeOf, write } from './scopes.js';

/**
 * Initialises a run that has just started from the state of another one: with its scopes, fan-outs, passes, rounds,
 * decisions and completed units. No wait that was open there is open here: every thread stands in front of what it waited
 * for, and begins it anew. Usage and running time are counted from here.
 *
 * `source`: the state of the other run after event `fromSeq`; it matters unless that is 0.
 */
export function initialiseFork(draft: Draft, event: RunForked, source: RunState | undefined): void {
  const { fromRunId, fromSeq } = event;
  draft.forkedFrom = fromRunId;
  if (fromSeq > 0) {
    if (source?.runId !== fromRunId || source.seq !== fromSeq)
      throw new Error(
        `To fold a fork, give the state of the run ${fromRunId} after event ${fromSeq} with it.`,
      );
    takeOver(draft, source, event);
  }
  restartDeadlines(draft, event.at);
  layOver(draft, event);
}

function takeOver(draft: Draft, source: RunState, event: RunForked): void {
  const { fromSeq } = event;
  const cursors = threadsInFrontOf(source, event);
  openIndexes(draft, []);
  draft.generation = source.generation + 1;
  draft.scopes = source.scopes.map((scope) => shifted(scope, reopened(scope.cursor, cursors), fromSeq));
  draft.forks = source.forks.map((fanOut) =>
    fanOut.since === undefined ? fanOut : { ...fanOut, since: fanOut.since - fromSeq },
  );
  draft.decisions = PersistentMap.of(
    [...source.decisions.entries()].map(([gateId, decision]) => [gateId - fromSeq, decision]),
  );
  draft.completed = source.completed.map((seq) => seq - fromSeq);
  draft.largestUsage = source.largestUsage;
  draft.unitInputs = source.unitInputs;
  draft.undoingScopes = source.undoingScopes;
  draft.scopes.forEach(({ chars }) => {
    draft.stateChars += chars;
  });
  draft.forks.forEach(({ chars }) => {
    draft.stateChars += chars;
  });
  draft.stateChars += charsOfUnitInputs(draft.unitInputs) + charsOfVars(draft.vars);
}

/** By the id of each wait at which a thread stood: where the thread stands now. */
function threadsInFrontOf(source: RunState, { fromSeq, before }: RunForked): ReadonlyMap<number, Cursor> {
  // A fork that begins at a pause begins after it.
  const passed = before === undefined ? fromSeq : null;
  const cursors = new Map<number, Cursor>();
  source.waits.forEach((wait) => {
    const cursor = kindOf(wait).forked(wait, passed);
    if (cursor !== null) cursors.set(wait.id, cursor);
  });
  return cursors;
}

/** No retry keeps its key: to the unit, the other run's execution and this one's are different calls. */
function reopened(cursor: Cursor, cursors: ReadonlyMap<number, Cursor>): Cursor {
  switch (cursor.phase) {
    case 'waiting':
      return overFanOut(cursor) ?? cursors.get(cursor.id) ?? admitted(cursor.path);
    case 'admitted':
    case 'failed':
      return admitted(cursor.path);
    case 'closed':
      return cursor.failedAt === null ? cursor : { ...cursor, failedAt: reopened(cursor.failedAt, cursors) };
    default:
      return cursor;
  }
}

/** What was written before the fork keeps its order, and comes before all that the fork writes: its seqs are 0 or less. */
function shifted(
  { writes, chars, passes, rounds, tries, closing, key }: Scope,
  cursor: Cursor,
  by: number,
): Scope {
  const earlier = writes.map(({ seq, index, chars: size, value }) => ({
    seq: seq - by,
    index,
    chars: size,
    value,
  }));
  const open = tries.map((each) => ({ ...each, seq: each.seq - by }));
  const closed = nested(
    closingsOf(closing).map((one) => (one.since === undefined ? one : { ...one, since: one.since - by })),
  );
  return { cursor, writes: earlier, chars, passes, rounds, tries: open, closing: closed, key };
}

/** Writes the edits in the order in which they count: a new input's keys, then those of the state. */
function layOver(draft: Draft, { seq, fromSeq, before, edits }: RunForked): void {
  // A run that begins anew has its input's keys from its start.
  const ofInput = edits.input === true && fromSeq > 0 ? Object.entries(draft.input) : [];
  const ofState = Object.entries(edits.state ?? {});
  const { cursor } = scopeOf(draft, ROOT_SCOPE);
  write(draft, ROOT_SCOPE, [...ofInput, ...ofState], seq, cursor);
  if (edits.unitInput === undefined || before === undefined) return;
  const { path, scope, unitId } = before;
  giveInput(draft, { path, scope, unitId, input: edits.unitInput });
}
