import {
  Controller,
  Get,
  Req,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type StreamableFile,
} from '@nestjs/common';
import type { MemoryHit } from '../engine/index.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';
import { inChunksIfLong } from '../http/long-answers/long-answer.js';
import { Query } from '../http/query.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { MemoryService } from './memory.service.js';

@Controller({ path: 'memory', version: VERSION_NEUTRAL })
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard)
export class MemoryController {
  constructor(private readonly memory: MemoryService) {}

  @Get('search')
  async search(
    @Req() request: EdgeRequest,
  ): Promise<{ readonly results: readonly MemoryHit[] } | StreamableFile> {
    return inChunksIfLong(await this.memory.search(new Query(request.url)));
  }
}
