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
import { ActingPerson } from '../http/acting-person.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';
import { TakesBody } from '../http/host-bodies/takes-body.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { inChunksIfLong } from '../http/long-answers/long-answer.js';
import { SelfCallGuard } from '../http/self-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { IDEMPOTENCY_KEY, RUN_ID, WORKFLOW_ID } from '../openapi/parameters.js';
import { RunRecordSchema } from '../openapi/schemas/run-schemas.js';
import { ForkRunDto } from './dto/fork-run.dto.js';
import { ForksService } from './forks.service.js';

@Controller({ path: 'workflows/:id/runs/:runId/fork', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate runs')
@UseGuards(WebPageGuard, SelfCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class ForksController {
  constructor(
    private readonly forks: ForksService,
    private readonly bodies: JsonBodyReader,
    private readonly person: ActingPerson,
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
    answers: [
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
      'invalid-input',
      'unit-not-reached',
      'incompatible-definition',
      'decided-gate',
      'idempotency-conflict',
    ],
    changes: true,
    reads: true,
    hasIds: true,
  })
  async fork(
    @Param('id') workflowId: string,
    @Param('runId') runId: string,
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: object,
  ): Promise<RunRecord | StreamableFile> {
    const body = (): Promise<unknown> => this.bodies.read(request);
    const arriving = this.person.arrivalOf(request);
    const arrival = arriving instanceof Promise ? await arriving : arriving;
    const record = await this.forks.fork(workflowId, runId, body, arrival);
    this.host.httpAdapter.setHeader(response, 'Location', besideRun(request.url, record.runId));
    return inChunksIfLong(record);
  }
}

/**
 * The fork's path, from `…/runs/<run>/fork`: relative, since neither the prefix of a host nor what a proxy takes off the
 * path is known here.
 */
function besideRun(url: string, forkId: string): string {
  const [path = ''] = url.split('?');
  const up = path.endsWith('/') ? '../../' : '../';
  return `${up}${encodeURIComponent(forkId)}`;
}
