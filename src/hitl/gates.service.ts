import { Inject, Injectable, type StreamableFile } from '@nestjs/common';
import { ENGINE } from '../config/instance-tokens.js';
import type { Engine, GatePage, ListGatesRequest } from '../engine/index.js';
import type { EdgeRequest } from '../http/edge-request.js';
import type { EdgeResponse } from '../http/edge-response.js';
import { EventStreams } from '../http/event-stream/event-streams.js';
import { listFrames } from '../http/event-stream/list-frames.js';
import { refuseHead } from '../http/event-stream/negotiation.js';
import { LIST_LIMIT, Query } from '../http/query/query.js';
import { GATE_STATUS, LIST_PAGE, OF_WORKFLOW } from '../openapi/list-parameters.js';
import { namesOf } from '../openapi/parameters.js';

/** Lists and watches the gates of all runs. */
@Injectable()
export class GatesService {
  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    private readonly streams: EventStreams,
  ) {}

  list(query: Query): Promise<GatePage> {
    return this.engine.gates.list(gateRequestIn(query));
  }

  /** Throws as the list does, and if no stream can be opened. */
  watch(request: EdgeRequest, response: EdgeResponse): StreamableFile {
    refuseHead(request);
    const asked = gateRequestIn(new Query(request.url));
    this.engine.gates.checkWatch(asked);
    return this.streams.answer(response, (signal) =>
      listFrames(this.engine.gates.watch({ ...asked, signal })),
    );
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
