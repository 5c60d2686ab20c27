import {
  Controller,
  Get,
  Req,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type StreamableFile,
} from '@nestjs/common';
import { AccessGuard } from '../../http/access/access.guard.js';
import { Requires } from '../../http/access/route-access.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import type { EdgeResponse } from '../../http/edge-response.js';
import { FlowgateExceptionFilter } from '../../http/refusals/flowgate-exception.filter.js';
import { RequestContexts } from '../../http/identity/request-contexts.js';
import { WebPageGuard } from '../../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../../openapi/operation.js';
import { LAST_EVENT_ID } from '../../openapi/parameters.js';
import { EventSchema } from '../../openapi/schemas/event-schemas.js';
import { AllEventsService } from './all-events.service.js';

@Controller({ path: 'events', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate runs')
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard, AccessGuard)
export class AllEventsController {
  constructor(
    private readonly events: AllEventsService,
    private readonly contexts: RequestContexts,
  ) {}

  @Get()
  @Described({
    summary: 'Watches all runs',
    description:
      'A stream (`Accept: text/event-stream`) of the events of all runs from now on. Its ids are opaque; behind one that is ' +
      'not known comes `reset`, and it goes on from now.',
    parameters: [LAST_EVENT_ID],
    responses: [{ status: 200, description: 'Server-sent events', streams: EventSchema }],
    codes: ['streams-full'],
  })
  @Requires('run:read')
  async stream(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: EdgeResponse,
  ): Promise<StreamableFile> {
    return this.events.stream(request, response, this.contexts.ofReading(request));
  }
}
