import type { RunStatus } from '../../vocabulary.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { RunWatch } from '../../ports/run-watch.js';
import type { PublicEvent } from '../../public-events.js';
import type { BackgroundWork } from '../../scheduling/background-work.js';
import type { RunHeader } from '../reading/record.js';
import { RunLogPages } from '../reading/run-log-pages.js';
import type { RunReader } from '../reading/run-reader.js';
import type { FollowRequest, StreamRequest } from '../run-requests.js';
import type { PageBounds } from '../events/event-page.js';
import type { EventPages, ReadEvents } from '../events/event-pages.js';
import { wholeOf, type EventOwner } from '../events/shown-event.js';
import { LogCursor, type CursorLog } from '../log-cursor.js';
import { OpenStreams } from './open-streams.js';

/** Bounds of what is read at once, so that a slow reader holds no more. */
const PAGE_EVENTS = 100;
const PAGE_BYTES = 49_152;
const PAGE_FOLLOWED = 1_000;
/** So many pages are kept for the next readers: a client that reads nothing is sent a few megabytes before that shows. */
const MAX_SHARED_PAGES = 64;

/** `TReturn`: how the run ended; null: the stream ended before it. */
export type RunEvents = AsyncGenerator<PublicEvent, RunStatus | null, void>;
/** As `RunEvents`, but with all available events at once; a page is never empty. */
export type RunEventPages = AsyncGenerator<readonly PublicEvent[], RunStatus | null, void>;

export interface RunEventStreamOptions {
  readonly pages: EventPages;
  readonly store: Pick<RunLog, 'readEvents'>;
  readonly watch: RunWatch;
  readonly reader: Pick<RunReader, 'header' | 'extent'>;
  /** The background work of all streams. */
  readonly background: BackgroundWork;
}

/** What a stream shows of a run. */
interface Projection<Item> {
  /** What comes after `afterSeq`, as far as a reader should hold it at once. */
  page(header: SeenHeader, afterSeq: number): Promise<SeenPage<Item>>;
  /** Whether the stream ends once the run has this status and all of it was shown. */
  endsAt(status: RunStatus): boolean;
}

type SeenHeader = RunHeader & EventOwner;

interface ReadEventsRequest extends Pick<StreamRequest, 'caller'> {
  readonly afterSeq: number;
  readonly bounds: PageBounds;
}

type SeenPage<Item> = Omit<ReadEvents, 'items'> & { readonly items: readonly Item[] };

/**
 * Streams what a run does while it does it.
 *
 * 1. It is a cursor into the log: for a slow reader nothing is kept but its present page, and nothing is sent that is not
 *    durable.
 * 2. A stream ends once the run is over and everything was sent: a run that is paused may continue. Who follows a run is
 *    shown all values, and stops at a pause, too.
 * 3. A reader that stops taking what there is leaves nothing behind.
 */
export class RunEventStream {
  private readonly open = new OpenStreams();
  /** The pages that were read last, by run and position; kept as long as there are readers. */
  private readonly shared = new Map<string, ReadEvents>();
  private readonly log: RunLogPages;

  constructor(private readonly options: RunEventStreamOptions) {
    this.log = new RunLogPages(options.store);
  }

  /** The process ends: the remaining readers get nothing more. */
  close(): void {
    this.open.close();
  }

  /** Throws an `UnknownRunError`. */
  async *stream(request: StreamRequest): RunEvents {
    const pages = this.pages(request);
    try {
      for (let next = await pages.next(); ; next = await pages.next()) {
        if (next.done === true) return next.value;
        for (const event of next.value) {
          if (request.signal?.aborted === true) return null;
          yield event;
        }
      }
    } finally {
      await pages.return(null);
    }
  }

  /** Throws an `UnknownRunError`. */
  pages(request: StreamRequest): RunEventPages {
    const bounds = { limit: PAGE_EVENTS, maxBytes: PAGE_BYTES, view: request.view ?? 'public' } as const;
    return this.projected(request, {
      page: (header, afterSeq) => this.events(header, { afterSeq, bounds, caller: request.caller }),
      endsAt: (status) => status === 'completed' || status === 'failed',
    });
  }

  /**
   * What the run does until it is paused or over, as `shown` makes it of each event with all its values; null: the event is
   * left out. What the reader has of a page is shown although it has left. Throws an `UnknownRunError`.
   */
  async *follow<Item>(
    request: FollowRequest,
    shown: (event: PublicEvent) => Item | null,
  ): AsyncGenerator<Item, void, void> {
    const pages = this.projected(request, {
      page: (header, afterSeq) => this.followed(header, afterSeq, shown),
      endsAt: (status) => status !== 'running' && status !== 'pending',
    });
    for await (const items of pages) yield* items;
  }

  private async *projected<Item>(
    request: FollowRequest,
    projection: Projection<Item>,
  ): AsyncGenerator<readonly Item[], RunStatus | null, void> {
    const { signal, release } = this.open.add(request.signal);
    try {
      const cursor = new LogCursor(this.logOf(request, projection), request.afterSeq ?? 0);
      return yield* cursor.pages(signal);
    } catch (error) {
      // A store that was closed in the meantime cannot be read, which is no fault.
      if (!this.open.isClosed) throw error;
      return null;
    } finally {
      release();
      if (this.open.count === 0) this.shared.clear();
    }
  }

  private logOf<Item>(request: FollowRequest, projection: Projection<Item>): CursorLog<Item, RunStatus> {
    const { watch, reader } = this.options;
    // The header is read before the page: then everything that made the run stop is in the log.
    let header: SeenHeader | null = null;
    // That a run was imported never changes, nor does its log then.
    let claimed: Pick<EventOwner, 'claimedThrough'> | null = null;
    return {
      wait: (afterSeq, signal) => watch.waitFor({ runId: request.runId, afterSeq, signal }),
      async read(afterSeq) {
        const isJustRead = header === null;
        claimed ??= { claimedThrough: (await reader.extent(request)).claimedThrough };
        const present: SeenHeader = header ?? {
          ...(await reader.header(request)),
          ...claimed,
          namespace: request.namespace,
        };
        const page = await projection.page(present, afterSeq);
        // On the way through a long log the header is not read again; at the end of it that header may be an old one.
        header = page.isLast ? null : present;
        const isLast = page.isLast && isJustRead;
        const end = isLast && projection.endsAt(present.status) ? present.status : null;
        return { items: page.items, position: page.seq, isLast, end };
      },
    };
  }

  /** A page before the end of a log never changes, so the readers that are at it at the same time share it. */
  private events(header: SeenHeader, { afterSeq, bounds, caller }: ReadEventsRequest): Promise<ReadEvents> {
    const { runId, createdAt, updatedAt, status } = header;
    // A run that is over may be purged, and imported again with another log: that one was updated when it was imported.
    const endedAt = status === 'completed' || status === 'failed' ? updatedAt : null;
    const key = JSON.stringify([runId, createdAt, endedAt, afterSeq, bounds.view]);
    const { pages, background } = this.options;
    const read = async (): Promise<ReadEvents> => {
      const known = this.shared.get(key);
      if (known !== undefined) return known;
      const page = await pages.after(header, afterSeq, bounds);
      if (!page.isLast) this.shared.set(key, page);
      for (const oldest of this.shared.keys()) {
        if (this.shared.size <= MAX_SHARED_PAGES) break;
        this.shared.delete(oldest);
      }
      return page;
    };
    return background.run(read, { caller });
  }

  /** Nothing of an event is held for a slow reader but what is shown of it. */
  private async followed<Item>(
    owner: EventOwner,
    afterSeq: number,
    shown: (event: PublicEvent) => Item | null,
  ): Promise<SeenPage<Item>> {
    const items: Item[] = [];
    let seq = afterSeq;
    const next = await this.log.walk(owner.runId, afterSeq, (event) => {
      seq = event.seq;
      const whole = wholeOf(owner, event, 'public');
      const item = whole === null ? null : shown(whole);
      if (item !== null) items.push(item);
      return items.length >= PAGE_FOLLOWED;
    });
    return { items, seq, isLast: next === null };
  }
}
