import { Controller, Get, Res, UseFilters, UseGuards, type StreamableFile } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { inChunksIfLong } from '../http/long-answers/long-answer.js';
import { HealthService, type Health } from './health.service.js';

@Controller('health')
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard)
export class HealthController {
  constructor(
    private readonly service: HealthService,
    private readonly host: HttpAdapterHost,
  ) {}

  /** 200, or 503 with `ok: false` while shutting down or when the store cannot be reached. */
  @Get()
  async health(@Res({ passthrough: true }) response: unknown): Promise<Health | StreamableFile> {
    const health = await this.service.health();
    if (!health.ok) this.host.httpAdapter.status(response, 503);
    return inChunksIfLong(health);
  }
}
