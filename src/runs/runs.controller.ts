import {
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Req,
  UseFilters,
  UseGuards,
  type StreamableFile,
} from '@nestjs/common';
import type { RunRecord } from '../engine/index.js';
import { arrivalOf } from '../http/arrival.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { SelfCallGuard } from '../http/self-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { inChunksIfLong } from '../http/long-answers/long-answer.js';
import { RunsService } from './runs.service.js';

@Controller('workflows/:id/runs')
@UseGuards(WebPageGuard, SelfCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly bodies: JsonBodyReader,
  ) {}

  @Post()
  @HttpCode(202)
  async start(
    @Param('id') workflowId: string,
    @Req() request: EdgeRequest,
  ): Promise<RunRecord | StreamableFile> {
    const body = (): Promise<unknown> => this.bodies.read(request);
    return inChunksIfLong(await this.runs.start(workflowId, body, arrivalOf(request)));
  }

  @Get(':runId')
  async get(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
  ): Promise<RunRecord | StreamableFile> {
    return inChunksIfLong(await this.runs.read(workflowId, runId));
  }

  @Post(':runId/resume')
  @HttpCode(200)
  async resume(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<RunRecord | StreamableFile> {
    const body = (): Promise<unknown> => this.bodies.read(request);
    return inChunksIfLong(await this.runs.resume(workflowId, runId, body, arrivalOf(request)));
  }
}
