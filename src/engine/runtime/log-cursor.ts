/** What a cursor found after its position. */
export interface CursorPage<Item, End = never> {
  readonly items: readonly Item[];
  /** Everything up to here was looked at. */
  readonly position: number;
  /** There was nothing after it when it was read. */
  readonly isLast: boolean;
  /** How the log ended with this page; null: it may grow. */
  readonly end: End | null;
}

/** A log as one reader wants it: which part of it, and projected to what. */
export interface CursorLog<Item, End = never> {
  /** Resolves when there may be something after the position, or when the signal fires; then nothing of it is kept. */
  wait(position: number, signal: AbortSignal): Promise<void>;
  read(position: number): CursorPage<Item, End> | Promise<CursorPage<Item, End>>;
}

/**
 * Reads a log from a position on, while it grows.
 *
 * 1. It begins to wait before it looks, so nothing is missed in between.
 * 2. Nothing is kept for a slow reader but the page that it has: the next one is read when the reader comes back for it.
 * 3. The position moves past a page only then: a reader that failed begins with the same page again.
 */
export class LogCursor<Item, End = never> {
  constructor(
    private readonly log: CursorLog<Item, End>,
    private position: number,
  ) {}

  /**
   * The pages, none of them empty, until the log ends (it returns how) or the signal fires (it returns null). The caller fires
   * the signal once it takes no more.
   */
  async *pages(signal: AbortSignal): AsyncGenerator<readonly Item[], End | null, void> {
    let notification: Promise<void> | null = null;
    while (!signal.aborted) {
      notification ??= this.log.wait(this.position, signal);
      const page = await this.log.read(this.position);
      // Nobody takes another page, but how the log ended is known.
      if (signal.aborted) return page.items.length === 0 ? page.end : null;
      if (page.items.length > 0) yield page.items;
      this.position = page.position;
      if (!page.isLast) continue;
      if (page.end !== null) return page.end;
      await notification;
      notification = null;
    }
    return null;
  }
}
