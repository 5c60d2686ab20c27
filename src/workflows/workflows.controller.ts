import {
  Controller,
  Get,
  Req,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type StreamableFile,
} from '@nestjs/common';
import type { EdgeRequest } from '../http/edge-request.js';
import { RequestContexts } from '../http/identity/request-contexts.js';
import { AccessGuard } from '../http/access/access.guard.js';
import { Requires } from '../http/access/route-access.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { inChunksIfLong } from '../http/long-responses/long-response.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { WorkflowListSchema } from '../openapi/schemas/service-schemas.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { WorkflowsService, type WorkflowList } from './workflows.service.js';

@Controller({ path: 'workflows', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate workflows')
@UseGuards(WebPageGuard, AccessGuard)
@UseFilters(FlowgateExceptionFilter)
export class WorkflowsController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly contexts: RequestContexts,
  ) {}

  @Get()
  @Described({
    summary: 'Lists the registered workflows',
    responses: [
      { status: 200, description: 'In the order of their registration', schema: WorkflowListSchema },
    ],
  })
  @Requires('workflow:read')
  async list(@Req() request: EdgeRequest): Promise<WorkflowList | StreamableFile> {
    return inChunksIfLong(await this.workflows.list(this.contexts.ofReading(request)));
  }
}
