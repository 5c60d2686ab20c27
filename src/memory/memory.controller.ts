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
import { RequestContexts } from '../http/identity/request-contexts.js';
import { AccessGuard } from '../http/access/access.guard.js';
import { Requires } from '../http/access/route-access.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { inChunksIfLong } from '../http/long-responses/long-response.js';
import { Query } from '../http/query/query.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { QUERY, TOP_K } from '../openapi/parameters.js';
import { MemorySchema } from '../openapi/schemas/service-schemas.js';
import { MemoryService } from './memory.service.js';

@Controller({ path: 'memory', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate memory')
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard, AccessGuard)
export class MemoryController {
  constructor(
    private readonly memory: MemoryService,
    private readonly contexts: RequestContexts,
  ) {}

  @Get('search')
  @Described({
    summary: 'Searches what units have said',
    parameters: [QUERY, TOP_K],
    responses: [{ status: 200, description: 'Best first', schema: MemorySchema }],
    codes: ['busy'],
  })
  @Requires('memory:read')
  async search(
    @Req() request: EdgeRequest,
  ): Promise<{ readonly results: readonly MemoryHit[] } | StreamableFile> {
    const context = await this.contexts.ofSharing(request);
    return inChunksIfLong(await this.memory.search(new Query(request.url), context));
  }
}
