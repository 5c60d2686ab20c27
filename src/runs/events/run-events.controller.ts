import {
  Controller,
  Get,
  Param,
  Req,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type StreamableFile,
} from '@nestjs/common';
import type { PublicEvent, PublicEventPage } from '../../engine/index.js';
import { AccessGuard } from '../../http/access/access.guard.js';
import { Requires } from '../../http/access/route-access.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import type { EdgeResponse } from '../../http/edge-response.js';
import { wantsStream } from '../../http/event-stream/negotiation.js';
import { FlowgateExceptionFilter } from '../../http/refusals/flowgate-exception.filter.js';
import { inChunksIfLong } from '../../http/long-responses/long-response.js';
import { RequestContexts } from '../../http/identity/request-contexts.js';
import { WebPageGuard } from '../../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../../openapi/operation.js';
import {
  EVENT_PAGE,
  EVENT_SEQ,
  EVENT_VIEW,
  LAST_EVENT_ID,
  RUN_ID,
  WORKFLOW_ID,
} from '../../openapi/parameters.js';
import { EventListSchema, EventSchema } from '../../openapi/schemas/event-schemas.js';
import { RunEventsService } from './run-events.service.js';

/**
 * The events of a run, as pages and as a stream. The path of a stream begins here: docs/paths.md#stream.
 *
 * 1. A stream is a cursor into the log: a client is sent nothing that is not durable, and reads on at its own pace.
 * 2. What can be refused is refused before the stream begins, as any other response.
 */
@Controller({ path: 'workflows/:id/runs/:runId/events', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate runs')
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard, AccessGuard)
export class RunEventsController {
  constructor(
    private readonly events: RunEventsService,
    private readonly contexts: RequestContexts,
  ) {}

  @Get()
  @Described({
    summary: 'Reads what a run did, or watches it',
    description:
      'With `Accept: text/event-stream` a stream: an event of the run is a frame whose `id` is its `seq`, whose `event` is ' +
      'its type, and whose `data` is the event. Behind the last event of a run that is over comes `end` with its status.',
    parameters: [WORKFLOW_ID, RUN_ID, ...EVENT_PAGE, EVENT_VIEW, LAST_EVENT_ID],
    responses: [
      { status: 200, description: 'A page, oldest first', schema: EventListSchema, streams: EventSchema },
      { status: 204, description: 'A stream is asked for again, and nothing is left of it' },
    ],
    codes: ['unknown-run', 'streams-full'],
    reads: true,
    hasIds: true,
  })
  @Requires('run:read')
  async list(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: EdgeResponse,
  ): Promise<PublicEventPage | StreamableFile | undefined> {
    const address = { workflowId, runId };
    const context = this.contexts.ofReading(request);
    if (wantsStream(request)) return this.events.stream(address, request, response, context);
    return inChunksIfLong(await this.events.page(address, request, context));
  }

  @Get(':seq')
  @Described({
    summary: 'Reads one event of a run, whole',
    parameters: [WORKFLOW_ID, RUN_ID, EVENT_SEQ, EVENT_VIEW],
    responses: [{ status: 200, description: 'The event with all of its values', schema: EventSchema }],
    codes: ['unknown-run'],
    reads: true,
    hasIds: true,
  })
  @Requires('run:read')
  async one(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Param('seq') seq: string,
    @Req() request: EdgeRequest,
  ): Promise<PublicEvent | StreamableFile> {
    return inChunksIfLong(
      await this.events.one({ workflowId, runId }, seq, request, this.contexts.ofReading(request)),
    );
  }
}
