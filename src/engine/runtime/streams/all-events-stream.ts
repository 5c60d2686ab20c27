import { InvalidRequestError } from '../../../errors/request-errors.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import type { RunStore } from '../../ports/run-store.js';
import type { StreamAllRequest } from '../requests/run-requests.js';
import { idOfCursor, cursorOfId } from './event-cursor.js';
import type { LogTail, EventWithCursor } from './log-tail.js';
import { OpenStreams } from './open-streams.js';

export interface AllEventsStreamOptions {
  readonly tail: LogTail;
  readonly store: Pick<RunStore, 'lastPosition'>;
}

/**
 * Streams what all runs do, in the order in which it became durable. As in the stream of one run, nothing is buffered for
 * slow readers: they read the log themselves until they have caught up.
 */
export class AllEventsStream {
  private readonly open = new OpenStreams();

  constructor(private readonly options: AllEventsStreamOptions) {}

  close(): void {
    this.open.close();
  }

  /** The id after which everything is still to come. */
  async now(): Promise<string> {
    return idOfCursor({ position: await this.options.store.lastPosition(), seq: 0 });
  }

  /** Whether a stream can continue from there. */
  async knows(id: string): Promise<boolean> {
    const cursor = cursorOfId(id);
    return cursor !== null && cursor.position <= (await this.options.store.lastPosition());
  }

  /** Throws an `InvalidRequestError` for an `after` that is no id of this store. */
  async *stream(request: StreamAllRequest): AsyncGenerator<EventWithCursor, void, void> {
    for await (const page of this.pages(request)) {
      for (const event of page) {
        if (request.signal?.aborted === true) return;
        yield event;
      }
    }
  }

  /** As `stream`, but with all available events at once; a page is never empty. */
  async *pages(request: StreamAllRequest): AsyncGenerator<readonly EventWithCursor[], void, void> {
    const { namespace = DEFAULT_NAMESPACE, after } = request;
    const { tail } = this.options;
    const { signal, release } = this.open.add(request.signal);
    let hasJoined = false;
    try {
      const now = await tail.join();
      hasJoined = true;
      const from = after === undefined ? null : cursorBefore(after, now);
      let position = from === null ? now : from.position;
      while (!signal.aborted) {
        const page = await tail.after(position);
        const events = page.entries.flatMap((entry) => {
          if (entry.namespace !== namespace) return [];
          if (from?.seen.position !== entry.position) return entry.events;
          return entry.events.filter(({ event }) => event.seq > from.seen.seq);
        });
        if (signal.aborted) return;
        if (events.length > 0) yield events;
        position = page.until;
        if (page.entries.length === 0) await tail.notification(position, signal);
      }
    } catch (error) {
      if (!this.open.isClosed) throw error;
    } finally {
      if (hasJoined) tail.leave();
      release();
    }
  }
}

/** The events of one append share its position: the append is read again, and the events already seen are skipped. */
function cursorBefore(id: string, lastPosition: number) {
  const seen = cursorOfId(id);
  if (seen === null || seen.position > lastPosition) {
    throw new InvalidRequestError(
      'after is no id of an event of this service: leave it out to begin with what comes next',
    );
  }
  return { seen, position: seen.seq === 0 ? seen.position : seen.position - 1 };
}
