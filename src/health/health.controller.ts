import {
  Controller,
  Get,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type StreamableFile,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AccessGuard } from '../http/access/access.guard.js';
import { Open } from '../http/access/route-access.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { inChunksIfLong } from '../http/long-responses/long-response.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { HealthSchema, LivenessSchema, ReadinessSchema } from '../openapi/schemas/service-schemas.js';
import { HealthService, type Health } from './health.service.js';
import { ReadinessService, type Readiness } from './readiness.service.js';

@Controller({ path: 'health', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate health')
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard, AccessGuard)
export class HealthController {
  constructor(
    private readonly service: HealthService,
    private readonly readiness: ReadinessService,
    private readonly host: HttpAdapterHost,
  ) {}

  /** 200, or 503 with `ok: false` while shutting down or when the store cannot be reached. */
  @Get()
  @Described({
    summary: 'Says whether the service can serve',
    responses: [
      { status: 200, description: 'It can', schema: HealthSchema },
      { status: 503, description: 'It cannot, as `error` and `code` say', schema: HealthSchema },
    ],
  })
  @Open()
  async health(@Res({ passthrough: true }) response: unknown): Promise<Health | StreamableFile> {
    const health = await this.service.health();
    if (!health.ok) this.host.httpAdapter.status(response, 503);
    return inChunksIfLong(health);
  }

  /** 200 as long as the process responds at all, also while it shuts down, because a restart would not help then. */
  @Get('live')
  @Described({
    summary: 'Says that the process answers',
    responses: [{ status: 200, description: 'It does', schema: LivenessSchema }],
    stored: false,
  })
  @Open()
  live(): { readonly ok: true } {
    return { ok: true };
  }

  /** 200 when the service takes work; 503 with the reason while it recovers, shuts down, or has no store. */
  @Get('ready')
  @Described({
    summary: 'Says whether the service takes work',
    responses: [
      { status: 200, description: 'It does', schema: ReadinessSchema },
      { status: 503, description: 'It does not, as `error` and `code` say', schema: ReadinessSchema },
    ],
  })
  @Open()
  async ready(@Res({ passthrough: true }) response: unknown): Promise<Readiness> {
    const readiness = await this.readiness.readiness();
    if (!readiness.ok) this.host.httpAdapter.status(response, 503);
    return readiness;
  }
}
