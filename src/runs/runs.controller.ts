import {
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Req,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type StreamableFile,
} from '@nestjs/common';
import type { RunRecord } from '../engine/index.js';
import { RequestContexts } from '../http/identity/request-contexts.js';
import { AccessGuard } from '../http/access/access.guard.js';
import { Requires } from '../http/access/route-access.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { TakesBody } from '../http/host-bodies/takes-body.js';
import { JsonBodyReader } from '../http/bodies/json-body-reader.js';
import { ReentrantCallGuard } from '../http/reentrant-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { inChunksIfLong } from '../http/long-responses/long-response.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { IDEMPOTENCY_KEY, RECORD_VIEW, RUN_ID, WORKFLOW_ID } from '../openapi/parameters.js';
import { ReadRunSchema, RunRecordSchema } from '../openapi/schemas/run-schemas.js';
import { ResumeRunDto } from './dto/resume-run.dto.js';
import { StartRunDto } from './dto/start-run.dto.js';
import { StopRunDto } from './dto/stop-run.dto.js';
import { RunsService } from './runs.service.js';

@Controller({ path: 'workflows/:id/runs', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate runs')
@UseGuards(WebPageGuard, AccessGuard, ReentrantCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly bodies: JsonBodyReader,
    private readonly contexts: RequestContexts,
  ) {}

  @Post()
  @HttpCode(202)
  @TakesBody()
  @Described({
    summary: 'Starts a run',
    description: 'Without `sync` it answers at once, and always `running`.',
    parameters: [WORKFLOW_ID, IDEMPOTENCY_KEY],
    body: { schema: StartRunDto, required: false },
    responses: [{ status: 202, description: 'The record of the run', schema: RunRecordSchema }],
    codes: ['unknown-workflow', 'invalid-input', 'idempotency-conflict', 'namespace-full'],
    changes: true,
    hasIds: true,
  })
  @Requires('run:start')
  async start(
    @Param('id') workflowId: string,
    @Req() request: EdgeRequest,
  ): Promise<RunRecord | StreamableFile> {
    const body = (): Promise<unknown> => this.bodies.read(request);
    const pending = this.contexts.of(request);
    const context = pending instanceof Promise ? await pending : pending;
    return inChunksIfLong(await this.runs.start(workflowId, body, context));
  }

  @Get(':runId')
  @Described({
    summary: 'Reads a run',
    parameters: [WORKFLOW_ID, RUN_ID, RECORD_VIEW],
    responses: [{ status: 200, description: 'The record as it is now', schema: ReadRunSchema }],
    codes: ['unknown-run'],
    reads: true,
    hasIds: true,
  })
  @Requires('run:read')
  async get(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<RunRecord | StreamableFile> {
    return inChunksIfLong(
      await this.runs.read(workflowId, runId, request.url, this.contexts.ofReading(request)),
    );
  }

  @Post(':runId/resume')
  @HttpCode(200)
  @TakesBody()
  @Described({
    summary: 'Lets a run go on, tries it again, or takes it back to a checkpoint',
    description: 'Answers once the run stops again, or with `running` after half a minute.',
    parameters: [WORKFLOW_ID, RUN_ID, IDEMPOTENCY_KEY],
    body: { schema: ResumeRunDto, required: false },
    responses: [{ status: 200, description: 'The record of the run', schema: RunRecordSchema }],
    codes: ['unknown-run', 'no-checkpoint', 'unwound', 'imported-run', 'idempotency-conflict'],
    changes: true,
    hasIds: true,
  })
  @Requires('run:steer')
  async resume(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<RunRecord | StreamableFile> {
    const body = (): Promise<unknown> => this.bodies.read(request);
    const pending = this.contexts.of(request);
    const context = pending instanceof Promise ? await pending : pending;
    return inChunksIfLong(await this.runs.resume(workflowId, runId, body, context));
  }

  @Post(':runId/cancel')
  @HttpCode(200)
  @TakesBody()
  @Described({
    summary: 'Cancels a run',
    description:
      'What is in flight is told, and given a moment to end; then the units of `onCancel` run. Answers once the run is over, or with `running` after half a minute. A run that is over already is answered as it is.',
    parameters: [WORKFLOW_ID, RUN_ID, IDEMPOTENCY_KEY],
    body: { schema: StopRunDto, required: false },
    responses: [{ status: 200, description: 'The record of the run', schema: RunRecordSchema }],
    codes: ['unknown-run', 'imported-run', 'idempotency-conflict'],
    changes: true,
    reads: true,
    hasIds: true,
  })
  @Requires('run:steer')
  async cancel(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<RunRecord | StreamableFile> {
    const body = (): Promise<unknown> => this.bodies.read(request);
    const pending = this.contexts.of(request);
    const context = pending instanceof Promise ? await pending : pending;
    return inChunksIfLong(await this.runs.cancel(workflowId, runId, body, context));
  }

  @Post(':runId/pause')
  @HttpCode(200)
  @TakesBody()
  @Described({
    summary: 'Pauses a run',
    description:
      'Nothing new is called; what is in flight is given a moment to end, and is called again once the run is resumed if it does not. A run that is paused or over already is answered as it is.',
    parameters: [WORKFLOW_ID, RUN_ID, IDEMPOTENCY_KEY],
    body: { schema: StopRunDto, required: false },
    responses: [{ status: 200, description: 'The record of the run', schema: RunRecordSchema }],
    codes: ['unknown-run', 'imported-run', 'idempotency-conflict'],
    changes: true,
    reads: true,
    hasIds: true,
  })
  @Requires('run:steer')
  async pause(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<RunRecord | StreamableFile> {
    const body = (): Promise<unknown> => this.bodies.read(request);
    const pending = this.contexts.of(request);
    const context = pending instanceof Promise ? await pending : pending;
    return inChunksIfLong(await this.runs.pause(workflowId, runId, body, context));
  }

  @Post(':runId/compensate')
  @HttpCode(200)
  @TakesBody()
  @Described({
    summary: 'Tries again what a run could not undo',
    description:
      'Each compensation that failed is called again, under its old key, from the last completion to the first; the run is `running` meanwhile, and ends as it had ended. Answers once it has, or with `running` after half a minute.',
    parameters: [WORKFLOW_ID, RUN_ID, IDEMPOTENCY_KEY],
    body: { schema: StopRunDto, required: false },
    responses: [{ status: 200, description: 'The record of the run', schema: RunRecordSchema }],
    codes: ['unknown-run', 'nothing-to-compensate', 'imported-run', 'idempotency-conflict'],
    changes: true,
    reads: true,
    hasIds: true,
  })
  @Requires('run:steer')
  async compensate(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<RunRecord | StreamableFile> {
    const body = (): Promise<unknown> => this.bodies.read(request);
    const pending = this.contexts.of(request);
    const context = pending instanceof Promise ? await pending : pending;
    return inChunksIfLong(await this.runs.compensate(workflowId, runId, body, context));
  }
}
