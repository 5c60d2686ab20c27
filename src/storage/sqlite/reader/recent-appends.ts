import type { AppendRequest } from '../../../engine/ports/store/append.js';
import type { LogEntry } from '../../../engine/ports/store/commit-log.js';

/** A reader that is further behind than this reads the log. */
const MOST_ENTRIES = 2_000;
/** In characters of JSON. What a reader has not asked for by then is read from the log as well. */
const MOST_CHARS = 2 * 1024 * 1024;

/** Where an append stands in the log, and how long it is. */
export interface CommittedAs {
  readonly position: number;
  readonly chars: number;
}

/**
 * The newest appends of this process, as the log has them: a reader that is close behind is given what was just written, and
 * nothing is read and parsed again for it. One process writes a store, so what is missing here is in the log.
 *
 * 1. Either it knows every entry after a position, or it refuses to say: with each gap in the positions (a tombstone, an
 *    import, a result that was lost) it begins anew.
 * 2. Nothing is kept unless a reader came close to the end: of a store that nobody follows, or whose reader fell behind under
 *    load, it holds nothing.
 */
export class RecentAppends {
  private entries: LogEntry[] = [];
  private chars: number[] = [];
  private charsKept = 0;
  /** Everything after this position, and up to `end`, is in `entries`, come what may; null: nothing is kept. */
  private after: number | null = null;
  /** The position of the newest append; 0 until there is one. */
  private end = 0;
  /** How far each follower has come: what one of them has not read yet stays. */
  private readonly followed = new Map<string, number>();
  /** A reader was close to the end: the next append is kept. */
  private isWanted = false;

  /** Called for appends in the order of their commits. */
  add(request: AppendRequest, { position, chars }: CommittedAs): void {
    if (request.row.origin === 'import' && request.expectedSeq === 0) {
      this.end = Math.max(this.end, position);
      this.forget();
      return;
    }
    if (position !== this.end + 1) this.forget();
    if (position <= this.end) return;
    this.end = position;
    if (this.after === null) {
      if (!this.isWanted) return;
      this.after = position - 1;
    }
    this.entries.push(entryOf(request, position));
    this.chars.push(chars);
    this.charsKept += chars;
    if (this.entries.length <= MOST_ENTRIES && this.charsKept <= MOST_CHARS) return;
    this.forget();
    this.isWanted = false;
  }

  /** The entries after the position, at most `limit`; empty at the end. Null: they have to be read from the log. */
  read(afterPosition: number, limit: number): readonly LogEntry[] | null {
    const { after, end } = this;
    if (after !== null && afterPosition >= after && afterPosition <= end) {
      const first = afterPosition - after;
      return this.entries.slice(first, first + limit);
    }
    if (end - afterPosition <= MOST_ENTRIES) this.isWanted = true;
    return null;
  }

  /** The follower has handled what is at or before the position. */
  release(position: number, follower = ''): void {
    this.followed.set(follower, position);
    const throughPosition = Math.min(...this.followed.values());
    if (this.after === null || throughPosition <= this.after) return;
    const count = Math.min(throughPosition, this.end) - this.after;
    this.entries.splice(0, count);
    for (const chars of this.chars.splice(0, count)) this.charsKept -= chars;
    this.after += count;
  }

  /** What became of an append is not known. */
  forget(): void {
    this.entries = [];
    this.chars = [];
    this.charsKept = 0;
    this.after = null;
  }
}

function entryOf({ runId, row, events }: AppendRequest, position: number): LogEntry {
  const { namespace, workflowId, definitionHash, origin } = row;
  const imported = origin === 'import' ? ({ isImport: true } as const) : {};
  return { kind: 'appended', position, runId, namespace, workflowId, definitionHash, ...imported, events };
}
