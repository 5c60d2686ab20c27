import {
  Controller,
  Get,
  Req,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type StreamableFile,
} from '@nestjs/common';
import type { AuditItem, Page } from '../../engine/index.js';
import { AccessGuard } from '../../http/access/access.guard.js';
import { RequiresIfAsked } from '../../http/access/route-access.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import type { EdgeResponse } from '../../http/edge-response.js';
import { wantsLines, wantsStream } from '../../http/event-stream/negotiation.js';
import { RequestContexts } from '../../http/identity/request-contexts.js';
import { inChunksIfLong, streamed } from '../../http/long-responses/long-response.js';
import { Query } from '../../http/query/query.js';
import { FlowgateExceptionFilter } from '../../http/refusals/flowgate-exception.filter.js';
import { WebPageGuard } from '../../http/web-pages/web-page.guard.js';
import { AUDIT_FILTERS, LIST_PAGE } from '../../openapi/list-parameters.js';
import { Described, DescribedUnder } from '../../openapi/operation.js';
import { LAST_EVENT_ID } from '../../openapi/parameters.js';
import { AuditItemSchema, AuditListSchema } from '../../openapi/schemas/access-schemas.js';
import { AuditService } from './audit.service.js';

const NDJSON = 'application/x-ndjson';

/** Who did what. Where nobody is asked who they are, there is none of this. */
@Controller({ path: 'audit', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate access')
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard, AccessGuard)
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly contexts: RequestContexts,
  ) {}

  @Get()
  @Described({
    summary: 'Reads who did what, or watches it',
    description:
      'Of the namespace; what belongs to none is shown to those who have `audit:read` in `*`. With `Accept: application/x-ndjson` all ' +
      'of it, one act a line; with `Accept: text/event-stream` a stream of `act`, as they are recorded.',
    parameters: [...AUDIT_FILTERS, ...LIST_PAGE, LAST_EVENT_ID],
    responses: [
      {
        status: 200,
        description: 'A page, newest first; with a `next` it may be short, or empty',
        schema: AuditListSchema,
        streams: AuditItemSchema,
      },
    ],
    codes: ['not-found', 'streams-full'],
    reads: true,
  })
  @RequiresIfAsked('audit:read')
  async read(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: EdgeResponse,
  ): Promise<Page<AuditItem> | StreamableFile> {
    const context = this.contexts.ofReading(request);
    if (wantsStream(request)) return this.audit.watch(request, response, context);
    const query = new Query(request.url);
    if (wantsLines(request)) return streamed(await this.audit.lines(query, context), NDJSON);
    return inChunksIfLong(await this.audit.list(query, context));
  }
}
