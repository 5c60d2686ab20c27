import {
  Controller,
  Get,
  Param,
  Req,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type StreamableFile,
} from '@nestjs/common';
import type { RunRecord } from '../engine/index.js';
import { AccessGuard } from '../http/access/access.guard.js';
import { Requires } from '../http/access/route-access.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { RequestContexts } from '../http/identity/request-contexts.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { inChunksIfLong } from '../http/long-responses/long-response.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { ANY_RUN_ID, RECORD_VIEW } from '../openapi/parameters.js';
import { ReadRunSchema } from '../openapi/schemas/run-schemas.js';
import { RunsService } from './runs.service.js';

/** Run ids are unique: who has one need not know its workflow. */
@Controller({ path: 'runs', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate runs')
@UseGuards(WebPageGuard, AccessGuard)
@UseFilters(FlowgateExceptionFilter)
export class RunByIdController {
  constructor(
    private readonly runs: RunsService,
    private readonly contexts: RequestContexts,
  ) {}

  @Get(':runId')
  @Described({
    summary: 'Reads a run of whichever workflow',
    parameters: [ANY_RUN_ID, RECORD_VIEW],
    responses: [{ status: 200, description: 'The record as it is now', schema: ReadRunSchema }],
    codes: ['unknown-run'],
    reads: true,
    hasIds: true,
  })
  @Requires('run:read')
  async get(@Param('runId') runId: string, @Req() request: EdgeRequest): Promise<RunRecord | StreamableFile> {
    return inChunksIfLong(await this.runs.readById(runId, request.url, this.contexts.ofReading(request)));
  }
}
