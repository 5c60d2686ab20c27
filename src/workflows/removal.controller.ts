import {
  Controller,
  Delete,
  HttpCode,
  Param,
  Req,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import type { EdgeRequest } from '../http/edge-request.js';
import { RequestContexts } from '../http/identity/request-contexts.js';
import { AccessGuard } from '../http/access/access.guard.js';
import { Requires } from '../http/access/route-access.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { ReentrantCallGuard } from '../http/reentrant-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { WORKFLOW_ID } from '../openapi/parameters.js';
import { WorkflowsService } from './workflows.service.js';

/** Goes with registration: a host that switches that off keeps its workflows. */
@Controller({ path: 'workflows', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate workflows')
@UseGuards(WebPageGuard, AccessGuard, ReentrantCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class RemovalController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly contexts: RequestContexts,
  ) {}

  @Delete(':id')
  @HttpCode(204)
  @Described({
    summary: 'Unregisters a workflow',
    description:
      'Later starts do not find it. Its runs go on, and its versions stay as long as a run needs them.',
    parameters: [WORKFLOW_ID],
    responses: [{ status: 204, description: 'It is not registered any more' }],
    codes: ['unknown-workflow', 'self-call', 'foreign-page'],
    reads: true,
    hasIds: true,
  })
  @Requires('workflow:register')
  async remove(@Param('id') workflowId: string, @Req() request: EdgeRequest): Promise<void> {
    return this.workflows.unregister(workflowId, this.contexts.ofReading(request));
  }
}
