import { Injectable, type StreamableFile } from '@nestjs/common';
import type { ActingEngine, AuditItem, Page } from '../../engine/index.js';
import { LIST_PAGE } from '../../engine/request-limits.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import type { EdgeResponse } from '../../http/edge-response.js';
import { EventStreams } from '../../http/event-stream/event-streams.js';
import type { Frame } from '../../http/event-stream/frames.js';
import { lastEventId, refuseHead } from '../../http/event-stream/negotiation.js';
import type { RequestContext } from '../../http/identity/request-context.js';
import { Query } from '../../http/query/query.js';
import { auditRequestIn } from './audit-query.js';

type Reading = Pick<RequestContext, 'engine'>;

interface WatchedFrom {
  readonly engine: ActingEngine;
  readonly asked: Omit<ReturnType<typeof auditRequestIn>, 'limit' | 'cursor'>;
  readonly afterId: string;
  readonly isReset: boolean;
  readonly signal: AbortSignal;
}

/** Reads who did what: a page, all of it, or as it is recorded. */
@Injectable()
export class AuditService {
  constructor(private readonly streams: EventStreams) {}

  list(query: Query, { engine }: Reading): Promise<Page<AuditItem>> {
    return engine.audit.list(auditRequestIn(query));
  }

  /** Lines of JSON, newest first: all that pass the filter, whatever `limit` says. Rejects with what is wrong with the first page. */
  async lines(query: Query, { engine }: Reading): Promise<AsyncIterable<string>> {
    const pages = engine.audit.each({ ...auditRequestIn(query), limit: LIST_PAGE.most });
    return linesOf(await pages.next(), pages);
  }

  /** What is recorded from now on, or after the id that the client saw last. Throws as the list does, and if no stream can be opened. */
  async watch(request: EdgeRequest, response: EdgeResponse, { engine }: Reading): Promise<StreamableFile> {
    refuseHead(request);
    this.streams.assertCapacity(response);
    const { limit: _limit, cursor: _cursor, ...asked } = auditRequestIn(new Query(request.url));
    await engine.audit.check(asked);
    const seen = lastEventId(request);
    const isKnown = seen !== null && (await engine.audit.knows(seen));
    const afterId = isKnown ? seen : await engine.audit.latest();
    const isReset = seen !== null && !isKnown;
    return this.streams.answer(response, (signal) => framesOf({ engine, asked, afterId, isReset, signal }));
  }
}

/** The first frame names where it begins, so that a client that is disconnected before the first act misses nothing either. */
async function* framesOf(from: WatchedFrom): AsyncGenerator<readonly Frame[], void, void> {
  const { engine, asked, afterId, isReset, signal } = from;
  yield [isReset ? { id: afterId, event: 'reset', data: {} } : { id: afterId }];
  for await (const items of engine.audit.stream({ ...asked, afterId, signal }))
    yield items.map((item) => ({ id: item.id, event: 'act', data: item }));
}

async function* linesOf(
  first: IteratorResult<readonly AuditItem[], void>,
  pages: AsyncGenerator<readonly AuditItem[], void, void>,
): AsyncGenerator<string, void> {
  try {
    for (let page = first; page.done !== true; page = await pages.next())
      yield page.value.map((item) => `${JSON.stringify(item)}\n`).join('');
  } finally {
    await pages.return();
  }
}
