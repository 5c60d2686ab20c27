import type { JsonObject } from './json.js';

/** A checkpoint of a run, to which it can go back, and from which it can be forked. */
export interface SnapshotItem {
  readonly snapshotId: string;
  /** Epoch ms. */
  readonly createdAt: number;
  /** What had happened: `unit-finished`, `gate-opened`, `gate-decided`, `state-written`, `paused`. */
  readonly after: string;
  /** The unit that ended or stopped there. */
  readonly unitId: string;
}

/** A checkpoint with the shared state as it was then. */
export interface Snapshot<State extends object = JsonObject> extends SnapshotItem {
  readonly completedUnits: readonly string[];
  readonly state: State;
}

export interface SnapshotPage {
  /** Newest first. */
  readonly snapshots: readonly SnapshotItem[];
  /** `cursor` of the next page; null at the end. Until then a page may be short, or empty. */
  readonly next: string | null;
}
