import {
  Controller,
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
import { HitlService } from './hitl.service.js';

@Controller('workflows/:id/runs/:runId/hitl')
@UseGuards(WebPageGuard, SelfCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class HitlController {
  constructor(
    private readonly hitl: HitlService,
    private readonly bodies: JsonBodyReader,
  ) {}

  @Post()
  @HttpCode(200)
  async respond(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<RunRecord | StreamableFile> {
    const body = (): Promise<unknown> => this.bodies.read(request);
    return inChunksIfLong(await this.hitl.respond(workflowId, runId, body, arrivalOf(request)));
  }
}
