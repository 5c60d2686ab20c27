import {
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type StreamableFile,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { RunRecord } from '../engine/index.js';
import { RequestContexts } from '../http/identity/request-contexts.js';
import { AccessGuard } from '../http/access/access.guard.js';
import { Requires } from '../http/access/route-access.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { TakesBody } from '../http/host-bodies/takes-body.js';
import { JsonBodyReader } from '../http/bodies/json-body-reader.js';
import { inChunksIfLong, streamed } from '../http/long-responses/long-response.js';
import { ReentrantCallGuard } from '../http/reentrant-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { RUN_ID, WORKFLOW_ID } from '../openapi/parameters.js';
import { RunRecordSchema } from '../openapi/schemas/run-schemas.js';
import { RunTransferService } from './run-transfer.service.js';

const NDJSON = 'application/x-ndjson';
const LINES =
  'Lines of JSON: a header with `format`, `runId`, `workflowId`, `yaml`, `hash` and `uses`; the events of the log; `lastSeq` and `sha256`';

/** Transfers runs between services. */
@Controller({ version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate runs')
@UseGuards(WebPageGuard, AccessGuard, ReentrantCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class RunTransferController {
  constructor(
    private readonly transfer: RunTransferService,
    private readonly bodies: JsonBodyReader,
    private readonly contexts: RequestContexts,
    private readonly adapter: HttpAdapterHost,
  ) {}

  @Get('workflows/:id/runs/:runId/export')
  @Described({
    summary: 'Exports a run',
    description:
      'Its workflow without endpoints and headers, and its log up to now, as it is stored: with all that its units were given and answered.',
    parameters: [WORKFLOW_ID, RUN_ID],
    responses: [
      {
        status: 200,
        description: LINES,
        schema: { type: 'string' },
        mediaTypes: [NDJSON],
      },
    ],
    codes: ['unknown-run'],
    reads: true,
    hasIds: true,
  })
  @Requires('run:export')
  async export(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
  ): Promise<StreamableFile> {
    const context = this.contexts.ofReading(request);
    return streamed(await this.transfer.export(workflowId, runId, context), NDJSON);
  }

  @Post('runs/import')
  @HttpCode(201)
  @TakesBody()
  @Described({
    summary: 'Imports a run',
    description:
      'Takes what an export answered, up to 16 MiB. What of the run was over stays as it was, what was not is cancelled; nothing of it is ever called, and it can be forked.',
    body: { mediaType: NDJSON, description: LINES },
    responses: [
      {
        status: 201,
        description: 'The record of the run',
        schema: RunRecordSchema,
        headers: {
          Location: { description: 'Where the run is, relative to here', schema: { type: 'string' } },
        },
      },
    ],
    codes: ['run-known', 'yaml-validation', 'yaml-load', 'registry-full', 'busy'],
    changes: true,
  })
  @Requires('run:import')
  async import(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<RunRecord | StreamableFile> {
    const pending = this.contexts.of(request);
    const context = pending instanceof Promise ? await pending : pending;
    const record = await this.transfer.import(await this.bodies.readLargest(request), context);
    const [workflow, run] = [record.workflowId, record.runId].map(encodeURIComponent);
    this.adapter.httpAdapter.setHeader(response, 'Location', `../workflows/${workflow}/runs/${run}`);
    return inChunksIfLong(record);
  }
}
