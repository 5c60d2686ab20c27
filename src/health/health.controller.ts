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
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { inChunksIfLong } from '../http/long-answers/long-answer.js';
import { HealthService, type Health } from './health.service.js';
import { ReadinessService, type Readiness } from './readiness.service.js';

@Controller({ path: 'health', version: VERSION_NEUTRAL })
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard)
export class HealthController {
  constructor(
    private readonly service: HealthService,
    private readonly readiness: ReadinessService,
    private readonly host: HttpAdapterHost,
  ) {}

  /** 200, or 503 with `ok: false` while shutting down or when the store cannot be reached. */
  @Get()
  async health(@Res({ passthrough: true }) response: unknown): Promise<Health | StreamableFile> {
    const health = await this.service.health();
    if (!health.ok) this.host.httpAdapter.status(response, 503);
    return inChunksIfLong(health);
  }

  /** 200 as long as the process answers at all, also while it shuts down: restarting it would mend nothing else. */
  @Get('live')
  live(): { readonly ok: true } {
    return { ok: true };
  }

  /** 200 when the service takes work; 503 with the reason while it recovers, shuts down, or has no store. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: unknown): Promise<Readiness> {
    const readiness = await this.readiness.readiness();
    if (!readiness.ok) this.host.httpAdapter.status(response, 503);
    return readiness;
  }
}
