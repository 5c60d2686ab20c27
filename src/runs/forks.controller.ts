import {
  Controller,
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
import { inChunksIfLong } from '../http/long-responses/long-response.js';
import { ReentrantCallGuard } from '../http/reentrant-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { IDEMPOTENCY_KEY, RUN_ID, WORKFLOW_ID } from '../openapi/parameters.js';
import { RunRecordSchema } from '../openapi/schemas/run-schemas.js';
import { ForkRunDto } from './dto/fork-run.dto.js';
import { ForksService } from './forks.service.js';

/**
 * Forks of runs. The path of a fork begins here: docs/paths.md#fork.
 *
 * 1. Whether the run exists is known before the body is read.
 * 2. The run that is forked is only read.
 */
@Controller({ path: 'workflows/:id/runs/:runId/fork', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate runs')
@UseGuards(WebPageGuard, AccessGuard, ReentrantCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class ForksController {
  constructor(
    private readonly forks: ForksService,
    private readonly bodies: JsonBodyReader,
    private readonly contexts: RequestContexts,
    private readonly host: HttpAdapterHost,
  ) {}

  @Post()
  @HttpCode(202)
  @TakesBody()
  @Described({
    summary: 'Begins a new run where this one stood',
    description:
      'The run itself stays as it is. Without `sync` it answers at once, and always `running`. What was in flight at the place where the fork begins is called again.',
    parameters: [WORKFLOW_ID, RUN_ID, IDEMPOTENCY_KEY],
    body: { schema: ForkRunDto, required: false },
    responses: [
      {
        status: 202,
        description: 'The record of the fork',
        schema: RunRecordSchema,
        headers: {
          Location: { description: 'Where the fork is read, relative to here', schema: { type: 'string' } },
        },
      },
    ],
    codes: [
      'unknown-run',
      'no-checkpoint',
      'unwound',
      'invalid-input',
      'unit-not-reached',
      'incompatible-definition',
      'decided-gate',
      'idempotency-conflict',
      'namespace-full',
    ],
    changes: true,
    reads: true,
    hasIds: true,
  })
  @Requires('run:fork', 'run:start')
  async fork(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: object,
  ): Promise<RunRecord | StreamableFile> {
    const body = (): Promise<unknown> => this.bodies.read(request);
    const pending = this.contexts.of(request);
    const context = pending instanceof Promise ? await pending : pending;
    const record = await this.forks.fork(workflowId, runId, body, context);
    this.host.httpAdapter.setHeader(response, 'Location', besideRun(request.url, record.runId));
    return inChunksIfLong(record);
  }
}

/**
 * The fork's path, relative to `…/runs/<run>/fork`, because neither the prefix of a host nor what a proxy removes
 * from the path is known here.
 */
function besideRun(url: string, forkId: string): string {
  const [path = ''] = url.split('?');
  const up = path.endsWith('/') ? '../../' : '../';
  return `${up}${encodeURIComponent(forkId)}`;
}
