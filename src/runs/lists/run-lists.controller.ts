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
import type { Page, RunItem } from '../../engine/index.js';
import { AccessGuard } from '../../http/access/access.guard.js';
import { Requires } from '../../http/access/route-access.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import type { EdgeResponse } from '../../http/edge-response.js';
import { wantsStream } from '../../http/event-stream/negotiation.js';
import { FlowgateExceptionFilter } from '../../http/refusals/flowgate-exception.filter.js';
import { inChunksIfLong } from '../../http/long-responses/long-response.js';
import { Query } from '../../http/query/query.js';
import { RequestContexts } from '../../http/identity/request-contexts.js';
import { WebPageGuard } from '../../http/web-pages/web-page.guard.js';
import { LIST_PAGE, OF_WORKFLOW, RUN_FILTERS } from '../../openapi/list-parameters.js';
import { Described, DescribedUnder } from '../../openapi/operation.js';
import { WORKFLOW_ID } from '../../openapi/parameters.js';
import { RunItemSchema, RunListSchema } from '../../openapi/schemas/list-schemas.js';
import { RunListsService } from './run-lists.service.js';

const WATCHED =
  'With `Accept: text/event-stream` a stream: first `snapshot` with a page, then `upsert` with each run that has changed ' +
  'and `remove` with the `runId` of each that passes no more.';

const PAGE = {
  status: 200,
  description: 'A page, newest first; with a `next` it may be short, or empty',
  schema: RunListSchema,
  streams: RunItemSchema,
};

@Controller({ version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate runs')
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard, AccessGuard)
export class RunListsController {
  constructor(
    private readonly lists: RunListsService,
    private readonly contexts: RequestContexts,
  ) {}

  @Get('runs')
  @Described({
    summary: 'Finds runs, or watches them',
    description: WATCHED,
    parameters: [OF_WORKFLOW, ...RUN_FILTERS, ...LIST_PAGE],
    responses: [PAGE],
    codes: ['streams-full'],
    reads: true,
  })
  @Requires('run:read')
  async list(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: EdgeResponse,
  ): Promise<Page<RunItem> | StreamableFile> {
    const context = this.contexts.ofReading(request);
    if (wantsStream(request)) return this.lists.watch(null, request, response, context);
    return inChunksIfLong(await this.lists.list(new Query(request.url), context));
  }

  @Get('workflows/:id/runs')
  @Described({
    summary: 'Finds runs of a workflow',
    description: `Also of one that is registered no more, as long as it has runs. ${WATCHED}`,
    parameters: [WORKFLOW_ID, ...RUN_FILTERS, ...LIST_PAGE],
    responses: [PAGE],
    codes: ['unknown-workflow', 'streams-full'],
    reads: true,
    hasIds: true,
  })
  @Requires('run:read')
  async listOf(
    @Param('id') workflowId: string,
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: EdgeResponse,
  ): Promise<Page<RunItem> | StreamableFile> {
    const context = this.contexts.ofReading(request);
    if (wantsStream(request)) return this.lists.watch(workflowId, request, response, context);
    return inChunksIfLong(await this.lists.listOf(workflowId, new Query(request.url), context));
  }
}
