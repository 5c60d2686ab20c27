import { Controller, Get, UseFilters, UseGuards, VERSION_NEUTRAL, type StreamableFile } from '@nestjs/common';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';
import { inChunksIfLong } from '../http/long-answers/long-answer.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { WorkflowsService, type WorkflowList } from './workflows.service.js';

@Controller({ path: 'workflows', version: VERSION_NEUTRAL })
@UseGuards(WebPageGuard)
@UseFilters(FlowgateExceptionFilter)
export class WorkflowsController {
  constructor(private readonly workflows: WorkflowsService) {}

  @Get()
  async list(): Promise<WorkflowList | StreamableFile> {
    return inChunksIfLong(await this.workflows.list());
  }
}
