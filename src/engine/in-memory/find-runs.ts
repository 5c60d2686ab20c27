import { passes } from '../ports/store/run-filter.js';
import type { RunCursor, RunIndex } from '../ports/store/run-index.js';
import type { ListedRun } from '../ports/store/run-row.js';
import { fitting } from '../ports/access/workflow-patterns.js';
import type { StoredRun } from './stored-run.js';

/** The most runs that one page looks at. */
const MAX_EXAMINED = 10_000;
/** The most open gates that come with a row. */
const MAX_GATES = 20;

export function listedRun({ row, labels, openGates }: StoredRun): ListedRun {
  return { row, labels, openGates: openGates.slice(0, MAX_GATES) };
}

/** `olderThan` gives runs, newest first. */
export function findRuns(
  olderThan: (before: RunCursor | null) => Iterable<StoredRun>,
  { namespace, filter, before, limit }: Parameters<RunIndex['findRuns']>[0],
): Awaited<ReturnType<RunIndex['findRuns']>> {
  const { createdFrom, createdBefore } = filter;
  const fits = fitting(filter.workflows);
  const runs: ListedRun[] = [];
  let examined = 0;
  for (const run of olderThan(startOf(before, createdBefore))) {
    const { row } = run;
    if (createdFrom !== null && row.createdAt < createdFrom) break;
    if (row.namespace === namespace && passes(filter, run, fits)) {
      // One more than requested shows that there are others.
      if (runs.length >= limit) return { runs, next: cursorOf(runs.at(-1)) };
      runs.push(listedRun(run));
    }
    examined += 1;
    if (examined >= MAX_EXAMINED) return { runs, next: { createdAt: row.createdAt, runId: row.runId } };
  }
  return { runs, next: null };
}

function startOf(before: RunCursor | null, createdBefore: number | null): RunCursor | null {
  if (createdBefore === null || (before !== null && before.createdAt < createdBefore)) return before;
  return { createdAt: createdBefore, runId: '' };
}

function cursorOf(listed: ListedRun | undefined): RunCursor | null {
  return listed === undefined ? null : { createdAt: listed.row.createdAt, runId: listed.row.runId };
}
