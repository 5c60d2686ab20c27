import { InvalidRequestError } from '../../../errors/request-errors.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { isInScope, type AccessScope } from '../../ports/access/policy.js';
import type { CommitLog } from '../../ports/store/commit-log.js';
import type { StreamAllRequest } from '../run-requests.js';
import { cursorOfId, idOfCursor, type EventCursor } from './event-cursor.js';
import { LogCursor, type CursorLog } from '../log-cursor.js';
import type { LogTail } from './log-tail.js';
import type { EventWithCursor } from './notified-entry.js';
import { OpenStreams } from './open-streams.js';

export interface AllEventsStreamOptions {
  readonly tail: LogTail;
  readonly store: Pick<CommitLog, 'lastPosition'>;
}

/** Streams what all runs do, in the order in which it became durable: cursors into the tail of the log. */
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
    const { namespace = DEFAULT_NAMESPACE, scope = 'all', after } = request;
    const { tail } = this.options;
    const { signal, release } = this.open.add(request.signal);
    let hasJoined = false;
    try {
      const now = await tail.join();
      hasJoined = true;
      const seen = after === undefined ? { position: now, seq: 0 } : seenBefore(after, now);
      // The events of one append share its position: the append is read again, and the events already seen are skipped.
      const from = seen.seq === 0 ? seen.position : seen.position - 1;
      yield* new LogCursor(eventsOf(tail, { namespace, scope, seen }), from).pages(signal);
    } catch (error) {
      if (!this.open.isClosed) throw error;
    } finally {
      if (hasJoined) tail.leave();
      release();
    }
  }
}

interface Shown {
  readonly namespace: string;
  readonly scope: AccessScope;
  readonly seen: EventCursor;
}

/** The events of a namespace that the scope shows, after the one that was seen. */
function eventsOf(tail: LogTail, { namespace, scope, seen }: Shown): CursorLog<EventWithCursor> {
  return {
    wait: (position, signal) => tail.wait(position, signal),
    async read(position) {
      const page = await tail.read(position);
      const items = page.items.flatMap((entry) => {
        if (entry.namespace !== namespace || !isInScope(scope, entry.workflowId)) return [];
        if (entry.position !== seen.position) return entry.events;
        return entry.events.filter(({ event }) => event.seq > seen.seq);
      });
      return { ...page, items };
    },
  };
}

function seenBefore(id: string, lastPosition: number): EventCursor {
  const seen = cursorOfId(id);
  if (seen !== null && seen.position <= lastPosition) return seen;
  throw new InvalidRequestError(
    'after is no id of an event of this service: leave it out to begin with what comes next',
  );
}
