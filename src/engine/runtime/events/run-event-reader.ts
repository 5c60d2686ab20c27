import { InvalidRequestError } from '../../../errors/request-errors.js';
import { EVENT_PAGE } from '../../request-limits.js';
import type { PublicEvent, PublicEventPage } from '../../public-events.js';
import type { RunReader } from '../reading/run-reader.js';
import type { EventRequest, EventsRequest } from '../run-requests.js';
import type { EventPages } from './event-pages.js';

const { least: FEWEST, most: MOST, usual: USUAL } = EVENT_PAGE;
const MAX_PAGE_BYTES = 1024 * 1024;

export interface RunEventReaderOptions {
  readonly pages: EventPages;
  readonly reader: Pick<RunReader, 'extent'>;
}

/** Reads the events of a run, page by page or one of them whole. */
export class RunEventReader {
  constructor(private readonly options: RunEventReaderOptions) {}

  /** Throws an `UnknownRunError` or an `InvalidRequestError`. */
  async events(request: EventsRequest): Promise<PublicEventPage> {
    const { pages, reader } = this.options;
    const { runId, workflowId, namespace, view = 'public', tail } = request;
    const afterSeq = within('afterSeq', request.afterSeq ?? 0, 0, Number.MAX_SAFE_INTEGER);
    const limit = within('limit', request.limit ?? USUAL, FEWEST, MOST);
    const newest = tail === undefined ? null : within('tail', tail, FEWEST, MOST);
    const { seq: lastSeq, claimedThrough } = await reader.extent(request);
    const owner = { runId, workflowId, namespace, claimedThrough };
    const bounds = { limit: newest ?? limit, maxBytes: MAX_PAGE_BYTES, view };
    if (newest !== null) {
      return { items: await pages.newest(owner, lastSeq, bounds), next: null };
    }
    const { items, seq, isLast } = await pages.after(owner, afterSeq, bounds);
    return { items, next: isLast || seq >= lastSeq ? null : seq };
  }

  /** Throws an `UnknownRunError` or an `InvalidRequestError`. */
  async event(request: EventRequest): Promise<PublicEvent | null> {
    const { runId, workflowId, view = 'public' } = request;
    const seq = within('seq', request.seq, 1, Number.MAX_SAFE_INTEGER);
    const { claimedThrough } = await this.options.reader.extent(request);
    return this.options.pages.one({ runId, workflowId, claimedThrough }, seq, view);
  }
}

function within(name: string, given: number, least: number, most: number): number {
  if (Number.isSafeInteger(given) && given >= least && given <= most) return given;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new InvalidRequestError(`${name} must be a whole number ${bounds}`);
}
