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
import type { Snapshot } from '../engine/index.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';
import { inChunksIfLong } from '../http/long-answers/long-answer.js';
import { Query } from '../http/query.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { RunHistoryService, type MessageList, type SnapshotList } from './run-history.service.js';

@Controller({ path: 'workflows/:id/runs/:runId', version: VERSION_NEUTRAL })
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard)
export class RunHistoryController {
  constructor(private readonly history: RunHistoryService) {}

  @Get('messages')
  async messages(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<MessageList | StreamableFile> {
    return inChunksIfLong(await this.history.messages(workflowId, runId, new Query(request.url)));
  }

  @Get('snapshots')
  async snapshots(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<SnapshotList | StreamableFile> {
    return inChunksIfLong(await this.history.snapshots(workflowId, runId, new Query(request.url)));
  }

  @Get('snapshots/:snapshotId')
  async snapshot(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Param('snapshotId') snapshotId: string,
  ): Promise<Snapshot | StreamableFile> {
    return inChunksIfLong(await this.history.snapshot(workflowId, runId, snapshotId));
  }
}
