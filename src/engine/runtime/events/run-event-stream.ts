import type { RunStatus } from '../../core/state/status.js';
import type { RunWatch } from '../../ports/run-watch.js';
import type { PublicEvent } from '../../public-events.js';
import type { Standing } from '../requests/record.js';
import type { RunReader } from '../requests/run-reader.js';
import type { StreamRequest } from '../requests/run-requests.js';
import type { AtLeisure } from './at-leisure.js';
import type { PageBounds } from './event-page.js';
import type { EventPages, ReadEvents } from './event-pages.js';
import { OpenStreams } from './open-streams.js';
import { WeakCache } from './weak-cache.js';

/** What is read at once, so that whoever is slow holds no more. */
const PAGE_EVENTS = 100;
const PAGE_BYTES = 49_152;
/** So many pages are shared by all who are at them. */
const MAX_SHARED_PAGES = 256;
/** So many are kept for those who come next: who reads nothing is sent a few megabytes before it shows. */
const MAX_RECENT_PAGES = 64;

/** `TReturn`: how the run ended; null: the stream ended before it. */
export type RunEvents = AsyncGenerator<PublicEvent, RunStatus | null, void>;
/** As `RunEvents`, with all that there are at once; never none. */
export type RunEventPages = AsyncGenerator<readonly PublicEvent[], RunStatus | null, void>;

export interface RunEventStreamOptions {
  readonly pages: EventPages;
  readonly watch: RunWatch;
  readonly reader: Pick<RunReader, 'standing'>;
  /** Shared by all who look on. */
  readonly leisure: AtLeisure;
}

/**
 * Tells what a run does while it does it.
 *
 * 1. It is a cursor into the log: nothing is kept for those who are slow but the page that they are at, and nothing is
 *    told that is not durable.
 * 2. It ends once the run is over and everything was told. A run that is paused may go on.
 * 3. Whoever stops taking events leaves nothing behind.
 */
export class RunEventStream {
  private readonly open = new OpenStreams();
  private readonly shared = new WeakCache<ReadEvents>(MAX_SHARED_PAGES);
  /** As long as somebody looks on. */
  private recent: ReadEvents[] = [];

  constructor(private readonly options: RunEventStreamOptions) {}

  /** The process ends: whoever still looks on is told nothing more. */
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
      let news = watch.waitFor({ runId, afterSeq: seq, signal });
      let standing: Standing | null = null;
      let isJustAsked = false;
      while (!signal.aborted) {
        isJustAsked = standing === null;
        // How it stands is asked first: then all that made it stop is in the log.
        standing ??= await reader.standing(request);
        const page = await this.page(standing, seq, bounds);
        if (signal.aborted) return null;
        if (page.items.length > 0) yield page.items;
        seq = page.seq;
        // On the way through a long log it is not asked again.
        if (!page.isLast) continue;
        const { status }: Standing = standing;
        standing = null;
        if (!isJustAsked) continue;
        if (status === 'completed' || status === 'failed') return status;
        await news;
        news = watch.waitFor({ runId, afterSeq: seq, signal });
      }
      return null;
    } catch (error) {
      // A store that was closed meanwhile cannot be read, which is nobody's fault.
      if (!this.open.isClosed) throw error;
      return null;
    } finally {
      release();
      if (this.open.count === 0) this.recent = [];
    }
  }

  /** What came before the end of a log stays as it is, so whoever comes to it while others are there is told the same. */
  private async page(standing: Standing, afterSeq: number, bounds: PageBounds): Promise<ReadEvents> {
    const { runId, workflowId, createdAt } = standing;
    const key = JSON.stringify([runId, createdAt, afterSeq, bounds.view]);
    const { pages, leisure } = this.options;
    return leisure.run(async () => {
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
