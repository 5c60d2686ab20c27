import {
  Controller,
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
import { IDEMPOTENCY_KEY, RUN_ID, WORKFLOW_ID } from '../openapi/parameters.js';
import { RunRecordSchema } from '../openapi/schemas/run-schemas.js';
import { RespondHitlDto } from './dto/respond-hitl.dto.js';
import { HitlService } from './hitl.service.js';

/**
 * Decisions of people at gates. The path of a decision begins here: docs/paths.md#decision.
 *
 * 1. Whether the run exists is known before the body is read.
 * 2. Which gate is meant is chosen by the engine, when the request arrives.
 */
@Controller({ path: 'workflows/:id/runs/:runId/hitl', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate runs')
@UseGuards(WebPageGuard, AccessGuard, ReentrantCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class HitlController {
  constructor(
    private readonly hitl: HitlService,
    private readonly bodies: JsonBodyReader,
    private readonly contexts: RequestContexts,
  ) {}

  @Post()
  @HttpCode(200)
  @TakesBody()
  @Described({
    summary: 'Decides at a gate, and lets the run go on',
    description: 'For the gate that was open when the request arrived. Answers as a resume does.',
    parameters: [WORKFLOW_ID, RUN_ID, IDEMPOTENCY_KEY],
    body: { schema: RespondHitlDto, required: true },
    responses: [{ status: 200, description: 'The record of the run', schema: RunRecordSchema }],
    codes: [
      'unknown-run',
      'run-over',
      'imported-run',
      'ambiguous-gate',
      'gate-decided',
      'idempotency-conflict',
    ],
    changes: true,
    hasIds: true,
  })
  @Requires('gate:decide')
  async respond(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<RunRecord | StreamableFile> {
    const body = (): Promise<unknown> => this.bodies.read(request);
    const pending = this.contexts.of(request);
    const context = pending instanceof Promise ? await pending : pending;
    return inChunksIfLong(await this.hitl.respond(workflowId, runId, body, context));
  }
}
