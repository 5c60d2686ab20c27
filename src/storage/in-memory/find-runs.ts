import { passes } from '../../engine/ports/run-filter.js';
import type { ListedRun, RunPlace, RunStore } from '../../engine/ports/run-store.js';
import type { StoredRun } from './stored-run.js';

/** A page looks at no more runs. */
const MAX_EXAMINED = 10_000;
/** With a row go so many of its open gates. */
const MAX_GATES = 20;

export function listedRun({ row, labels, openGates }: StoredRun): ListedRun {
  return { row, labels, openGates: openGates.slice(0, MAX_GATES) };
}

/** `olderThan`: newest first. */
export function findRuns(
  olderThan: (before: RunPlace | null) => Iterable<StoredRun>,
  { namespace, filter, before, limit }: Parameters<RunStore['findRuns']>[0],
): Awaited<ReturnType<RunStore['findRuns']>> {
  const { createdFrom, createdBefore } = filter;
  const runs: ListedRun[] = [];
  let examined = 0;
  for (const run of olderThan(startOf(before, createdBefore))) {
    const { row } = run;
    if (createdFrom !== null && row.createdAt < createdFrom) break;
    if (row.namespace === namespace && passes(filter, run)) {
      // One more than is asked for shows that there is more.
      if (runs.length >= limit) return { runs, next: placeOf(runs.at(-1)) };
      runs.push(listedRun(run));
    }
    examined += 1;
    if (examined >= MAX_EXAMINED) return { runs, next: { createdAt: row.createdAt, runId: row.runId } };
  }
  return { runs, next: null };
}

function startOf(before: RunPlace | null, createdBefore: number | null): RunPlace | null {
  if (createdBefore === null || (before !== null && before.createdAt < createdBefore)) return before;
  return { createdAt: createdBefore, runId: '' };
}

function placeOf(listed: ListedRun | undefined): RunPlace | null {
  return listed === undefined ? null : { createdAt: listed.row.createdAt, runId: listed.row.runId };
}
