import { Controller, Get, Post, Req, UseFilters, UseGuards, type StreamableFile } from '@nestjs/common';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { SelfCallGuard } from '../http/self-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { inChunksIfLong } from '../http/long-answers/long-answer.js';
import { RegistrationExceptionFilter } from './registration-exception.filter.js';
import { WorkflowsService, type Registered, type WorkflowList } from './workflows.service.js';

@Controller('workflows')
@UseGuards(WebPageGuard, SelfCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class WorkflowsController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly bodies: JsonBodyReader,
  ) {}

  @Get()
  async list(): Promise<WorkflowList | StreamableFile> {
    return inChunksIfLong(await this.workflows.list());
  }

  @Post('from-yaml')
  @UseFilters(RegistrationExceptionFilter)
  async register(@Req() request: EdgeRequest): Promise<Registered> {
    return this.workflows.register(await this.bodies.read(request));
  }
}
