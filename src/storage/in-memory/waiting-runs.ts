import type { LaneSet, RunRow } from '../../engine/ports/run-store.js';
import type { StoredRun } from './stored-run.js';

const HEX_BYTE = /[0-9a-f]{2}$/;

/** The runs that have not ended and move: those with open executions, and those that wake by themselves. */
export class WaitingRuns {
  private readonly executing = new Set<StoredRun>();
  private readonly waking = new Set<StoredRun>();

  /** After each of its appends. */
  classify(run: StoredRun): void {
    const { endedAt, openExecutions, wakeAt } = run.row;
    const isExecuting = endedAt === null && openExecutions > 0;
    const isWaking = endedAt === null && wakeAt !== null;
    if (isExecuting !== run.isExecuting) place(this.executing, run, isExecuting);
    if (isWaking !== run.isWaking) place(this.waking, run, isWaking);
    run.isExecuting = isExecuting;
    run.isWaking = isWaking;
  }

  unfinished(request: {
    readonly lanes: LaneSet | null;
    readonly afterRunId: string | null;
    readonly limit: number;
  }): readonly RunRow[] {
    const { lanes, afterRunId, limit } = request;
    return rowsOf(this.executing)
      .filter(({ runId }) => (afterRunId === null || runId > afterRunId) && isIn(lanes, runId))
      .sort((a, b) => (a.runId < b.runId ? -1 : 1))
      .slice(0, limit);
  }

  due(request: {
    readonly lanes: LaneSet | null;
    readonly before: number;
    readonly after: { readonly wakeAt: number; readonly runId: string } | null;
    readonly limit: number;
  }): readonly RunRow[] {
    const { lanes, before, after, limit } = request;
    const isAsked = (row: RunRow): boolean =>
      wakeAtOf(row) <= before && (after === null || isLater(row, after)) && isIn(lanes, row.runId);
    return rowsOf(this.waking)
      .filter(isAsked)
      .sort((a, b) => (isLater(a, { wakeAt: wakeAtOf(b), runId: b.runId }) ? 1 : -1))
      .slice(0, limit);
  }
}

function place(runs: Set<StoredRun>, run: StoredRun, isThere: boolean): void {
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

/** The last byte of the id, modulo the number of lanes; an id that ends in no byte in lower-case hex is of byte 0. */
function isIn(lanes: LaneSet | null, runId: string): boolean {
  if (lanes === null) return true;
  const byte = Number.parseInt(HEX_BYTE.exec(runId)?.[0] ?? '0', 16);
  return lanes.lanes.includes(byte % lanes.count);
}
