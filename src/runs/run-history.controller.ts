import { Controller, Get, Param, Req, UseFilters, UseGuards } from '@nestjs/common';
import type { MessagePage, Snapshot, SnapshotSummary } from '../engine/index.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';
import { Query } from '../http/query.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { RunHistoryService } from './run-history.service.js';

@Controller('workflows/:id/runs/:runId')
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard)
export class RunHistoryController {
  constructor(private readonly history: RunHistoryService) {}

  @Get('messages')
  messages(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<MessagePage> {
    return this.history.messages(workflowId, runId, new Query(request.url));
  }

  @Get('snapshots')
  snapshots(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
  ): Promise<{ readonly snapshots: readonly SnapshotSummary[] }> {
    return this.history.snapshots(workflowId, runId);
  }

  @Get('snapshots/:snapshotId')
  snapshot(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Param('snapshotId') snapshotId: string,
  ): Promise<Snapshot> {
    return this.history.snapshot(workflowId, runId, snapshotId);
  }
}
