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
import type { Snapshot } from '../../engine/index.js';
import { AccessGuard } from '../../http/access/access.guard.js';
import { Requires } from '../../http/access/route-access.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import { FlowgateExceptionFilter } from '../../http/refusals/flowgate-exception.filter.js';
import { inChunksIfLong } from '../../http/long-responses/long-response.js';
import { Query } from '../../http/query/query.js';
import { RequestContexts } from '../../http/identity/request-contexts.js';
import { WebPageGuard } from '../../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../../openapi/operation.js';
import { PAGE, PAGE_OF_SNAPSHOTS, RUN_ID, SNAPSHOT_ID, WORKFLOW_ID } from '../../openapi/parameters.js';
import { MessageListSchema, SnapshotListSchema, SnapshotSchema } from '../../openapi/schemas/run-schemas.js';
import { RunHistoryService, type MessageList, type SnapshotList } from './run-history.service.js';

@Controller({ path: 'workflows/:id/runs/:runId', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate runs')
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard, AccessGuard)
export class RunHistoryController {
  constructor(
    private readonly history: RunHistoryService,
    private readonly contexts: RequestContexts,
  ) {}

  @Get('messages')
  @Described({
    summary: 'Reads the history of a run',
    parameters: [WORKFLOW_ID, RUN_ID, ...PAGE],
    responses: [{ status: 200, description: 'A page, oldest first', schema: MessageListSchema }],
    codes: ['unknown-run'],
    reads: true,
    hasIds: true,
  })
  @Requires('run:read')
  async messages(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<MessageList | StreamableFile> {
    const context = this.contexts.ofReading(request);
    return inChunksIfLong(await this.history.messages(workflowId, runId, new Query(request.url), context));
  }

  @Get('snapshots')
  @Described({
    summary: 'Lists the checkpoints of a run',
    parameters: [WORKFLOW_ID, RUN_ID, ...PAGE_OF_SNAPSHOTS],
    responses: [{ status: 200, description: 'A page, newest first', schema: SnapshotListSchema }],
    codes: ['unknown-run'],
    reads: true,
    hasIds: true,
  })
  @Requires('run:read')
  async snapshots(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<SnapshotList | StreamableFile> {
    const context = this.contexts.ofReading(request);
    return inChunksIfLong(await this.history.snapshots(workflowId, runId, new Query(request.url), context));
  }

  @Get('snapshots/:snapshotId')
  @Described({
    summary: 'Reads the state at a checkpoint',
    parameters: [WORKFLOW_ID, RUN_ID, SNAPSHOT_ID],
    responses: [{ status: 200, description: 'The state as it was then', schema: SnapshotSchema }],
    codes: ['unknown-run', 'no-checkpoint'],
    reads: true,
    hasIds: true,
  })
  @Requires('run:read')
  async snapshot(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Param('snapshotId') snapshotId: string,
    @Req() request: EdgeRequest,
  ): Promise<Snapshot | StreamableFile> {
    const context = this.contexts.ofReading(request);
    return inChunksIfLong(await this.history.snapshot(workflowId, runId, snapshotId, context));
  }
}
