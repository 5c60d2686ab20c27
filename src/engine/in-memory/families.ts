import type { FamilyEntry } from '../ports/store/commit-log.js';
import type { RunRow } from '../ports/store/run-row.js';
import type { StoredRun } from './stored-run.js';

interface Entry extends FamilyEntry {
  readonly run: StoredRun;
}

interface Page {
  readonly afterRunId: string | null;
  readonly limit: number;
}

/** The child runs that have not ended, and the appends that families must be notified of. */
export class Families {
  private readonly byParent = new Map<string, Set<StoredRun>>();
  /** The number of unended descendants of every generation, by root. */
  private readonly descendants = new Map<string, number>();
  private entries: Entry[] = [];

  /** Sets the root of a new run; to be called before `appended`. */
  begun(run: StoredRun, parent: StoredRun | undefined): void {
    const { parentRunId, origin } = run.row;
    if (parentRunId !== null && origin === 'child') run.rootRunId = parent?.rootRunId ?? parentRunId;
  }

  /** How many runs of that root have not ended. */
  descendantsOf(rootRunId: string): number {
    return this.descendants.get(rootRunId) ?? 0;
  }

  /** To be called after each append, once the run has its position in the log. */
  appended(run: StoredRun, concernsFamily: boolean): void {
    const { parentRunId, endedAt } = run.row;
    if (parentRunId !== null && (endedAt === null) !== run.isChild) this.toggleChild(run, parentRunId);
    if (!concernsFamily) return;
    run.familyEntries += 1;
    this.entries.push({ position: run.lastPosition, runId: run.row.runId, run });
  }

  children({ parentRunId, ...page }: Page & { readonly parentRunId: string }): readonly RunRow[] {
    return pageOf(
      Array.from(this.byParent.get(parentRunId) ?? [], ({ row }) => row),
      page,
    );
  }

  /** The descendants of a run, at any depth, that have an open gate. */
  belowWithGates({ runId, ...page }: Page & { readonly runId: string }): readonly RunRow[] {
    const found: RunRow[] = [];
    for (const parents = [runId]; ;) {
      const parent = parents.pop();
      if (parent === undefined) return pageOf(found, page);
      for (const { row, openGates } of this.byParent.get(parent) ?? []) {
        parents.push(row.runId);
        if (openGates.length > 0) found.push(row);
      }
    }
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

  /** To be called when the run is removed. */
  forget(run: StoredRun): void {
    const { parentRunId } = run.row;
    if (parentRunId !== null && run.isChild) this.toggleChild(run, parentRunId);
    if (run.familyEntries > 0) this.entries = this.entries.filter((entry) => entry.run !== run);
  }

  private toggleChild(run: StoredRun, parentRunId: string): void {
    run.isChild = !run.isChild;
    if (run.rootRunId !== null) this.count(run.rootRunId, run.isChild ? 1 : -1);
    const children = this.byParent.get(parentRunId);
    if (!run.isChild) {
      children?.delete(run);
      if (children?.size === 0) this.byParent.delete(parentRunId);
    } else if (children === undefined) this.byParent.set(parentRunId, new Set([run]));
    else children.add(run);
  }

  private count(rootRunId: string, by: 1 | -1): void {
    const count = this.descendantsOf(rootRunId) + by;
    if (count === 0) this.descendants.delete(rootRunId);
    else this.descendants.set(rootRunId, count);
  }
}

function pageOf(rows: readonly RunRow[], { afterRunId, limit }: Page): readonly RunRow[] {
  return rows
    .filter(({ runId }) => afterRunId === null || runId > afterRunId)
    .sort((a, b) => (a.runId < b.runId ? -1 : 1))
    .slice(0, limit);
}
