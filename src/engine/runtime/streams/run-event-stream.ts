import type { RunStatus } from '../../core/state/status.js';
import type { RunWatch } from '../../ports/run-watch.js';
import type { PublicEvent } from '../../public-events.js';
import type { RunHeader } from '../requests/record.js';
import type { RunReader } from '../requests/run-reader.js';
import type { StreamRequest } from '../requests/run-requests.js';
import type { BackgroundWork } from '../../scheduling/background-work.js';
import type { PageBounds } from '../events/event-page.js';
import type { EventPages, ReadEvents } from '../events/event-pages.js';
import { OpenStreams } from './open-streams.js';
import { WeakCache } from '../events/weak-cache.js';

/** Bounds of what is read at once, so that a slow reader holds no more. */
const PAGE_EVENTS = 100;
const PAGE_BYTES = 49_152;
/** At most so many pages are shared by the readers that are at them. */
const MAX_SHARED_PAGES = 256;
/** So many pages are kept for the next readers: a client that reads nothing is sent a few megabytes before that shows. */
const MAX_RECENT_PAGES = 64;

/** `TReturn`: how the run ended; null: the stream ended before it. */
export type RunEvents = AsyncGenerator<PublicEvent, RunStatus | null, void>;
/** As `RunEvents`, but with all available events at once; a page is never empty. */
export type RunEventPages = AsyncGenerator<readonly PublicEvent[], RunStatus | null, void>;

export interface RunEventStreamOptions {
  readonly pages: EventPages;
  readonly watch: RunWatch;
  readonly reader: Pick<RunReader, 'header'>;
  /** The background work of all streams. */
  readonly background: BackgroundWork;
}

/**
 * Streams what a run does while it does it.
 *
 * 1. It is a cursor into the log: for a slow reader nothing is kept but its present page, and nothing is sent that is not
 *    durable.
 * 2. It ends once the run is over and everything was sent. A run that is paused may continue.
 * 3. A reader that stops taking events leaves nothing behind.
 */
export class RunEventStream {
  private readonly open = new OpenStreams();
  private readonly shared = new WeakCache<ReadEvents>(MAX_SHARED_PAGES);
  /** The pages that were read last, kept as long as there are readers. */
  private recent: ReadEvents[] = [];

  constructor(private readonly options: RunEventStreamOptions) {}

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
  async *pages(request: StreamRequest): RunEventPages {
    const { watch, reader } = this.options;
    const { runId, afterSeq = 0, view = 'public' } = request;
    const { signal, release } = this.open.add(request.signal);
    const bounds = { limit: PAGE_EVENTS, maxBytes: PAGE_BYTES, view };
    try {
      let seq = afterSeq;
      let notification = watch.waitFor({ runId, afterSeq: seq, signal });
      let header: RunHeader | null = null;
      let isJustRead = false;
      while (!signal.aborted) {
        isJustRead = header === null;
        // The header is read first: then everything that made the run stop is in the log.
        header ??= await reader.header(request);
        const page = await this.page(header, seq, bounds);
        if (signal.aborted) return null;
        if (page.items.length > 0) yield page.items;
        seq = page.seq;
        // On the way through a long log the header is not read again.
        if (!page.isLast) continue;
        const { status }: RunHeader = header;
        header = null;
        if (!isJustRead) continue;
        if (status === 'completed' || status === 'failed') return status;
        await notification;
        notification = watch.waitFor({ runId, afterSeq: seq, signal });
      }
      return null;
    } catch (error) {
      // A store that was closed in the meantime cannot be read, which is no fault.
      if (!this.open.isClosed) throw error;
      return null;
    } finally {
      release();
      if (this.open.count === 0) this.recent = [];
    }
  }

  /** A page before the end of a log never changes, so the readers that are at it at the same time share it. */
  private async page(header: RunHeader, afterSeq: number, bounds: PageBounds): Promise<ReadEvents> {
    const { runId, workflowId, createdAt } = header;
    const key = JSON.stringify([runId, createdAt, afterSeq, bounds.view]);
    const { pages, background } = this.options;
    return background.run(async () => {
      const known = this.shared.get(key);
      if (known !== undefined) return known;
      const page = await pages.after({ runId, workflowId }, afterSeq, bounds);
      if (!page.isLast) this.keep(key, page);
      return page;
    });
  }

  private keep(key: string, page: ReadEvents): void {
    this.shared.set(key, page);
    this.recent.push(page);
    if (this.recent.length > MAX_RECENT_PAGES) this.recent.shift();
  }
}
