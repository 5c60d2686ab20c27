import {
  Controller,
  Get,
  Req,
  Res,
  StreamableFile,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AccessGuard } from '../http/access/access.guard.js';
import { RequiresEverywhere } from '../http/access/route-access.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { TEXT } from '../openapi/schema-class.js';
import { acceptedFormat } from './accepted-format.js';
import { MetricsService } from './metrics.service.js';

@Controller({ path: 'metrics', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate health')
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard, AccessGuard)
export class MetricsController {
  constructor(
    private readonly metrics: MetricsService,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Also works while the service shuts down, without what only the store knows. */
  @Get()
  @Described({
    summary: 'What Prometheus scrapes',
    description: 'Text of version 0.0.4; OpenMetrics 1.0.0 where `Accept` prefers it.',
    responses: [
      {
        status: 200,
        description: 'Every metric as it stands',
        schema: TEXT,
        mediaTypes: ['text/plain', 'application/openmetrics-text'],
      },
    ],
    stored: false,
  })
  @RequiresEverywhere('metrics:read')
  async read(
    @Req() { headers }: EdgeRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<StreamableFile> {
    const { text, contentType } = await this.metrics.text(acceptedFormat(headers.accept));
    this.host.httpAdapter.setHeader(response, 'Cache-Control', 'no-store');
    const bytes = Buffer.from(text);
    return new StreamableFile(bytes, { type: contentType, length: bytes.length });
  }
}
