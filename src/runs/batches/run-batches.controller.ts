import {
  Controller,
  HttpCode,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type StreamableFile,
} from '@nestjs/common';
import { AccessGuard } from '../../http/access/access.guard.js';
import { Requires } from '../../http/access/route-access.js';
import { JsonBodyReader } from '../../http/bodies/json-body-reader.js';
import { disconnectionOf } from '../../http/disconnection.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import type { EdgeResponse } from '../../http/edge-response.js';
import { TakesBody } from '../../http/host-bodies/takes-body.js';
import { RequestContexts } from '../../http/identity/request-contexts.js';
import { inChunksIfLong } from '../../http/long-responses/long-response.js';
import { ReentrantCallGuard } from '../../http/reentrant-call.guard.js';
import { FlowgateExceptionFilter } from '../../http/refusals/flowgate-exception.filter.js';
import { WebPageGuard } from '../../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../../openapi/operation.js';
import { WORKFLOW_ID } from '../../openapi/parameters.js';
import { StartedBatchSchema } from '../../openapi/schemas/batch-schemas.js';
import { StartBatchDto } from '../dto/start-batch.dto.js';
import { RunBatchesService, type StartedBatch } from './run-batches.service.js';

/** Batches of starts. A client that disconnects stops no run that has begun, and no further one begins. */
@Controller({ path: 'workflows/:id/runs/batch', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate runs')
@UseGuards(WebPageGuard, AccessGuard, ReentrantCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class RunBatchesController {
  constructor(
    private readonly batches: RunBatchesService,
    private readonly bodies: JsonBodyReader,
    private readonly contexts: RequestContexts,
  ) {}

  @Post()
  @HttpCode(202)
  @TakesBody()
  @Described({
    summary: 'Starts many runs',
    description:
      'Each run is started, or refused, by itself, and answered at its place. Keys stand with the runs, not in a header; what is sent again under them starts nothing.',
    parameters: [WORKFLOW_ID],
    body: { schema: StartBatchDto, required: true },
    responses: [{ status: 202, description: 'What became of each run', schema: StartedBatchSchema }],
    codes: ['unknown-workflow'],
    changes: true,
    reads: true,
    hasIds: true,
  })
  @Requires('run:start')
  async start(
    @Param('id') workflowId: string,
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: EdgeResponse,
  ): Promise<StartedBatch | StreamableFile> {
    const signal = disconnectionOf(response);
    const body = (): Promise<unknown> => this.bodies.read(request);
    const pending = this.contexts.of(request);
    const context = pending instanceof Promise ? await pending : pending;
    return inChunksIfLong(await this.batches.start(workflowId, body, { ...context, waiting: { signal } }));
  }
}
