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
import type { Page, WorkflowDiff, WorkflowVersion, WorkflowVersionDetails } from '../engine/index.js';
import { RequestContexts } from '../http/identity/request-contexts.js';
import { AccessGuard } from '../http/access/access.guard.js';
import { Requires } from '../http/access/route-access.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { inChunksIfLong } from '../http/long-responses/long-response.js';
import { Query } from '../http/query/query.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { LIST_PAGE } from '../openapi/list-parameters.js';
import { FROM_HASH, HASH, OF_HASH, TO_HASH, WORKFLOW_ID } from '../openapi/parameters.js';
import {
  WorkflowDiffSchema,
  WorkflowVersionDetailsSchema,
  WorkflowVersionListSchema,
} from '../openapi/schemas/version-schemas.js';
import { WorkflowVersionsService } from './workflow-versions.service.js';

@Controller({ path: 'workflows/:id', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate workflows')
@UseGuards(WebPageGuard, AccessGuard)
@UseFilters(FlowgateExceptionFilter)
export class WorkflowVersionsController {
  constructor(
    private readonly versions: WorkflowVersionsService,
    private readonly contexts: RequestContexts,
  ) {}

  @Get()
  @Described({
    summary: 'Reads a workflow',
    description: 'The version that is registered, or the one of `hash`.',
    parameters: [WORKFLOW_ID, OF_HASH],
    responses: [
      { status: 200, description: 'The document and what it says', schema: WorkflowVersionDetailsSchema },
    ],
    codes: ['unknown-workflow', 'unknown-version'],
    reads: true,
    hasIds: true,
  })
  @Requires('workflow:read')
  async current(
    @Param('id') workflowId: string,
    @Req() request: EdgeRequest,
  ): Promise<WorkflowVersionDetails | StreamableFile> {
    return inChunksIfLong(
      await this.versions.current(workflowId, new Query(request.url), this.contexts.ofReading(request)),
    );
  }

  @Get('versions')
  @Described({
    summary: 'Lists the versions of a workflow that are kept',
    parameters: [WORKFLOW_ID, ...LIST_PAGE],
    responses: [{ status: 200, description: 'A page, newest first', schema: WorkflowVersionListSchema }],
    codes: ['unknown-workflow'],
    reads: true,
    hasIds: true,
  })
  @Requires('workflow:read')
  async list(@Param('id') workflowId: string, @Req() request: EdgeRequest): Promise<Page<WorkflowVersion>> {
    return this.versions.list(workflowId, new Query(request.url), this.contexts.ofReading(request));
  }

  @Get('versions/:hash')
  @Described({
    summary: 'Reads a version of a workflow',
    parameters: [WORKFLOW_ID, HASH],
    responses: [
      { status: 200, description: 'The document and what it says', schema: WorkflowVersionDetailsSchema },
    ],
    codes: ['unknown-workflow', 'unknown-version'],
    reads: true,
    hasIds: true,
  })
  @Requires('workflow:read')
  async version(
    @Param('id') workflowId: string,
    @Param('hash') hash: string,
    @Req() request: EdgeRequest,
  ): Promise<WorkflowVersionDetails | StreamableFile> {
    return inChunksIfLong(await this.versions.version(workflowId, hash, this.contexts.ofReading(request)));
  }

  @Get('diff')
  @Described({
    summary: 'Compares two versions of a workflow',
    parameters: [WORKFLOW_ID, FROM_HASH, TO_HASH],
    responses: [{ status: 200, description: 'What is other in `to`', schema: WorkflowDiffSchema }],
    codes: ['unknown-workflow', 'unknown-version', 'busy'],
    reads: true,
    hasIds: true,
  })
  @Requires('workflow:read')
  async diff(
    @Param('id') workflowId: string,
    @Req() request: EdgeRequest,
  ): Promise<WorkflowDiff | StreamableFile> {
    const context = await this.contexts.ofSharing(request);
    return inChunksIfLong(await this.versions.diff(workflowId, new Query(request.url), context));
  }
}
