import { charsIn, type FlatValue } from '../operations/operation.js';

const PAGE_CHARS = 4_096;
/** The pages that a group touches in addition to its texts: rows and indexes. */
const PAGES_PER_GROUP = 8;
/** About 16 MB of log: seldom enough to spread the cost, small enough to be brought in within some tens of ms. */
const PAGES_PER_CHECKPOINT = 4_096;

/** Estimates how far the log has grown since the last checkpoint: SQLite tells only by making one. */
export class CheckpointThrottle {
  private pages = 0;

  wrote(group: readonly FlatValue[]): void {
    this.pages += PAGES_PER_GROUP + Math.ceil((charsIn(group) * 2) / PAGE_CHARS);
  }

  /** True once for every `PAGES_PER_CHECKPOINT` pages. */
  isDue(): boolean {
    if (this.pages < PAGES_PER_CHECKPOINT) return false;
    this.pages = 0;
    return true;
  }
}
