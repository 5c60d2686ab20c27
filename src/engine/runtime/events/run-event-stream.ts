import type { RunStatus } from '../../core/state/status.js';
import type { RunWatch } from '../../ports/run-watch.js';
import type { PublicEvent } from '../../public-events.js';
import type { RunReader } from '../requests/run-reader.js';
import type { StreamRequest } from '../requests/run-requests.js';
import type { AtLeisure } from './at-leisure.js';
import type { EventPages } from './event-pages.js';
import { OpenStreams } from './open-streams.js';

/** What is read at once, so that whoever is slow holds no more. */
const PAGE_EVENTS = 100;
const PAGE_BYTES = 262_144;

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
    const { watch, reader, pages, leisure } = this.options;
    const { runId, workflowId, afterSeq = 0, view = 'public' } = request;
    const { signal, release } = this.open.add(request.signal);
    const bounds = { limit: PAGE_EVENTS, maxBytes: PAGE_BYTES, view };
    try {
      let seq = afterSeq;
      let news = watch.waitFor({ runId, afterSeq: seq, signal });
      while (!signal.aborted) {
        // How it stands is asked first: then all that made it stop is in the log.
        const { status } = await reader.standing(request);
        const from = seq;
        const page = await leisure.run(() => pages.after({ runId, workflowId }, from, bounds));
        if (signal.aborted) return null;
        if (page.items.length > 0) yield page.items;
        seq = page.seq;
        if (!page.isLast) continue;
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
    }
  }
}
