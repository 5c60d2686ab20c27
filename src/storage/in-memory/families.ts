import type { FamilyEntry, RunRow } from '../../engine/ports/run-store.js';
import type { StoredRun } from './stored-run.js';

interface Entry extends FamilyEntry {
  readonly run: StoredRun;
}

/** Which runs are children that have not ended, and the appends that families have to hear of. */
export class Families {
  private readonly byParent = new Map<string, Set<StoredRun>>();
  private entries: Entry[] = [];

  /** After each append, once the run has its place in the log. */
  appended(run: StoredRun, concernsFamily: boolean): void {
    const { parentRunId, endedAt } = run.row;
    if (parentRunId !== null && (endedAt === null) !== run.isChild) this.place(run, parentRunId);
    if (!concernsFamily) return;
    run.familyEntries += 1;
    this.entries.push({ position: run.lastPosition, runId: run.row.runId, run });
  }

  children(request: {
    readonly parentRunId: string;
    readonly afterRunId: string | null;
    readonly limit: number;
  }): readonly RunRow[] {
    const { parentRunId, afterRunId, limit } = request;
    return Array.from(this.byParent.get(parentRunId) ?? [], ({ row }) => row)
      .filter(({ runId }) => afterRunId === null || runId > afterRunId)
      .sort((a, b) => (a.runId < b.runId ? -1 : 1))
      .slice(0, limit);
  }

  after(position: number, limit: number): readonly FamilyEntry[] {
    const found: FamilyEntry[] = [];
    for (const entry of this.entries) {
      if (found.length >= limit) break;
      if (entry.position > position) found.push({ position: entry.position, runId: entry.runId });
    }
    return found;
  }

  drop(throughPosition: number): void {
    const first = this.entries.findIndex(({ position }) => position > throughPosition);
    const dropped = this.entries.splice(0, first === -1 ? this.entries.length : first);
    for (const { run } of dropped) run.familyEntries -= 1;
  }

  /** The run is gone. */
  forget(run: StoredRun): void {
    const { parentRunId } = run.row;
    if (parentRunId !== null && run.isChild) this.place(run, parentRunId);
    if (run.familyEntries > 0) this.entries = this.entries.filter((entry) => entry.run !== run);
  }

  private place(run: StoredRun, parentRunId: string): void {
    run.isChild = !run.isChild;
    const children = this.byParent.get(parentRunId);
    if (!run.isChild) {
      children?.delete(run);
      if (children?.size === 0) this.byParent.delete(parentRunId);
    } else if (children === undefined) this.byParent.set(parentRunId, new Set([run]));
    else children.add(run);
  }
}
