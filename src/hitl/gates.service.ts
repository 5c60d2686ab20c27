import { Injectable, type StreamableFile } from '@nestjs/common';
import type { GatePage, ListGatesRequest } from '../engine/index.js';
import type { EdgeRequest } from '../http/edge-request.js';
import type { EdgeResponse } from '../http/edge-response.js';
import { EventStreams } from '../http/event-stream/event-streams.js';
import { listFrames } from '../http/event-stream/list-frames.js';
import { refuseHead } from '../http/event-stream/negotiation.js';
import type { RequestContext } from '../http/identity/request-context.js';
import { LIST_LIMIT, Query } from '../http/query/query.js';
import { GATE_STATUS, LIST_PAGE, OF_WORKFLOW } from '../openapi/list-parameters.js';
import { namesOf } from '../openapi/parameters.js';

/** What reading gates takes of its request. */
type Reading = Pick<RequestContext, 'engine'>;

/** Lists and watches the gates of all runs. */
@Injectable()
export class GatesService {
  constructor(private readonly streams: EventStreams) {}

  list(query: Query, { engine }: Reading): Promise<GatePage> {
    return engine.gates.list(gateRequestIn(query));
  }

  /** Throws as the list does, and if no stream can be opened. */
  async watch(request: EdgeRequest, response: EdgeResponse, { engine }: Reading): Promise<StreamableFile> {
    refuseHead(request);
    const asked = gateRequestIn(new Query(request.url));
    await engine.gates.checkWatch(asked);
    return this.streams.answer(response, (signal) => listFrames(engine.gates.watch({ ...asked, signal })));
  }
}

/** The request that a query stands for. Throws an `InvalidRequestError`. */
function gateRequestIn(query: Query): ListGatesRequest {
  query.expectOnly(namesOf([GATE_STATUS, OF_WORKFLOW, ...LIST_PAGE]));
  return {
    status: (query.text('status') ?? undefined) as ListGatesRequest['status'],
    workflowId: query.text('workflowId') ?? undefined,
    limit: query.wholeNumber('limit', LIST_LIMIT),
    cursor: query.text('cursor') ?? undefined,
  };
}
