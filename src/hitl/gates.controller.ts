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
import type { GatePage } from '../engine/index.js';
import { AccessGuard } from '../http/access/access.guard.js';
import { Requires } from '../http/access/route-access.js';
import type { EdgeRequest } from '../http/edge-request.js';
import type { EdgeResponse } from '../http/edge-response.js';
import { wantsStream } from '../http/event-stream/negotiation.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { inChunksIfLong } from '../http/long-responses/long-response.js';
import { Query } from '../http/query/query.js';
import { RequestContexts } from '../http/identity/request-contexts.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { GATE_STATUS, LIST_PAGE, OF_WORKFLOW } from '../openapi/list-parameters.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { GateItemSchema, GateListSchema } from '../openapi/schemas/list-schemas.js';
import { GatesService } from './gates.service.js';

@Controller({ path: 'gates', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate runs')
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard, AccessGuard)
export class GatesController {
  constructor(
    private readonly gates: GatesService,
    private readonly contexts: RequestContexts,
  ) {}

  @Get()
  @Described({
    summary: 'Lists the gates of all runs, or watches them',
    description:
      'Those that wait by when they opened, decided ones by when that was, newest first. With `Accept: text/event-stream` a ' +
      'stream: first `snapshot` with a page, then `upsert` with each gate that is new in the list and `remove` with the ' +
      '`runId` and `gateId` of each that is there no more.',
    parameters: [GATE_STATUS, OF_WORKFLOW, ...LIST_PAGE],
    responses: [
      {
        status: 200,
        description: 'A page, and how many wait',
        schema: GateListSchema,
        streams: GateItemSchema,
      },
    ],
    codes: ['streams-full'],
    reads: true,
  })
  @Requires('gate:read')
  async list(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: EdgeResponse,
  ): Promise<GatePage | StreamableFile> {
    const context = this.contexts.ofReading(request);
    if (wantsStream(request)) return this.gates.watch(request, response, context);
    return inChunksIfLong(await this.gates.list(new Query(request.url), context));
  }
}
