import { isInShards } from '../ports/store/in-shards.js';
import type { ShardSet } from '../ports/store/run-index.js';
import type { RunRow } from '../ports/store/run-row.js';
import type { StoredRun } from './stored-run.js';

/** The unended runs that proceed by themselves: those with open executions, and those with a time at which they wake. */
export class WaitingRuns {
  private readonly executing = new Set<StoredRun>();
  private readonly waking = new Set<StoredRun>();

  /** To be called after each append of the run. */
  classify(run: StoredRun): void {
    const { endedAt, openExecutions, wakeAt } = run.row;
    const isExecuting = endedAt === null && openExecutions > 0;
    const isWaking = endedAt === null && wakeAt !== null;
    if (isExecuting !== run.isExecuting) setMembership(this.executing, run, isExecuting);
    if (isWaking !== run.isWaking) setMembership(this.waking, run, isWaking);
    run.isExecuting = isExecuting;
    run.isWaking = isWaking;
  }

  unfinished(request: {
    readonly lanes: ShardSet | null;
    readonly afterRunId: string | null;
    readonly limit: number;
  }): readonly RunRow[] {
    const { lanes: shards, afterRunId, limit } = request;
    return rowsOf(this.executing)
      .filter(({ runId }) => (afterRunId === null || runId > afterRunId) && isInShards(shards, runId))
      .sort((a, b) => (a.runId < b.runId ? -1 : 1))
      .slice(0, limit);
  }

  due(request: {
    readonly lanes: ShardSet | null;
    readonly before: number;
    readonly after: { readonly wakeAt: number; readonly runId: string } | null;
    readonly limit: number;
  }): readonly RunRow[] {
    const { lanes: shards, before, after, limit } = request;
    const isRequested = (row: RunRow): boolean =>
      wakeAtOf(row) <= before && (after === null || isLater(row, after)) && isInShards(shards, row.runId);
    return rowsOf(this.waking)
      .filter(isRequested)
      .sort((a, b) => (isLater(a, { wakeAt: wakeAtOf(b), runId: b.runId }) ? 1 : -1))
      .slice(0, limit);
  }
}

function setMembership(runs: Set<StoredRun>, run: StoredRun, isThere: boolean): void {
  if (isThere) runs.add(run);
  else runs.delete(run);
}

function rowsOf(runs: ReadonlySet<StoredRun>): RunRow[] {
  return Array.from(runs, ({ row }) => row);
}

function isLater(row: RunRow, than: { readonly wakeAt: number; readonly runId: string }): boolean {
  const wakeAt = wakeAtOf(row);
  return wakeAt > than.wakeAt || (wakeAt === than.wakeAt && row.runId > than.runId);
}

function wakeAtOf({ wakeAt }: RunRow): number {
  return wakeAt ?? Infinity;
}
