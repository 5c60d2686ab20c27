import type { FamilyEntry, RunRow } from '../../engine/ports/run-store.js';
import type { StoredRun } from './stored-run.js';

interface Entry extends FamilyEntry {
  readonly run: StoredRun;
}

interface Page {
  readonly afterRunId: string | null;
  readonly limit: number;
}

/** Which runs are children that have not ended, and the appends that families have to hear of. */
export class Families {
  private readonly byParent = new Map<string, Set<StoredRun>>();
  /** By root, of every generation. */
  private readonly descendants = new Map<string, number>();
  private entries: Entry[] = [];

  /** Before the first append of a run: what its root is. */
  begun(run: StoredRun, parent: StoredRun | undefined): void {
    const { parentRunId, origin } = run.row;
    if (parentRunId !== null && origin === 'child') run.rootRunId = parent?.rootRunId ?? parentRunId;
  }

  /** How many runs of that root have not ended. */
  descendantsOf(rootRunId: string): number {
    return this.descendants.get(rootRunId) ?? 0;
  }

  /** After each append, once the run has its place in the log. */
  appended(run: StoredRun, concernsFamily: boolean): void {
    const { parentRunId, endedAt } = run.row;
    if (parentRunId !== null && (endedAt === null) !== run.isChild) this.place(run, parentRunId);
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

  /** Those below a run, at any depth, that have an open gate. */
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

  /** The run is gone. */
  forget(run: StoredRun): void {
    const { parentRunId } = run.row;
    if (parentRunId !== null && run.isChild) this.place(run, parentRunId);
    if (run.familyEntries > 0) this.entries = this.entries.filter((entry) => entry.run !== run);
  }

  private place(run: StoredRun, parentRunId: string): void {
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
