import { Controller, Get, Post, Req, UseFilters, UseGuards } from '@nestjs/common';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { SelfCallGuard } from '../http/self-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
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
  list(): Promise<WorkflowList> {
    return this.workflows.list();
  }

  @Post('from-yaml')
  @UseFilters(RegistrationExceptionFilter)
  async register(@Req() request: EdgeRequest): Promise<Registered> {
    return this.workflows.register(await this.bodies.read(request));
  }
}
