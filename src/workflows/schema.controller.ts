import { Controller, Get, Req, Res, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AccessGuard } from '../http/access/access.guard.js';
import { Open } from '../http/access/route-access.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { JsonBytes } from '../http/long-responses/json-bytes.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { IF_NONE_MATCH } from '../openapi/parameters.js';
import { ANY_OBJECT, TEXT } from '../openapi/schema-class.js';
import { isKnown, readPublished, type PublishedFile } from '../http/published-file.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';

// The package ships `schemas/` next to `dist/`, so the same relative address holds in the sources and in the build.
const SCHEMA_URL = new URL('../../schemas/workflow.v1.schema.json', import.meta.url);

const ETAG = { ETag: { description: 'Another one for another schema', schema: TEXT } };

/** The published schema of the workflow language, for editors: `# yaml-language-server: $schema=<its address>`. */
@Controller({ path: 'schemas', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate workflows')
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard, AccessGuard)
export class SchemaController {
  private published: PublishedFile | undefined;

  constructor(private readonly host: HttpAdapterHost) {}

  /**
   * The file as it is shipped; 304 if the client has it. It changes with the version of the service, so clients must
   * revalidate it.
   */
  @Get('workflow.v1.json')
  @Described({
    summary: 'The JSON Schema of the workflow language',
    parameters: [IF_NONE_MATCH],
    responses: [
      { status: 200, description: 'As the package ships it', schema: ANY_OBJECT, headers: ETAG },
      { status: 304, description: 'It is the one that is had', headers: ETAG },
    ],
    stored: false,
  })
  @Open()
  schema(
    @Req() { headers }: EdgeRequest,
    @Res({ passthrough: true }) response: unknown,
  ): JsonBytes | undefined {
    const { bytes, etag } = (this.published ??= readPublished(SCHEMA_URL));
    const { httpAdapter } = this.host;
    httpAdapter.setHeader(response, 'ETag', etag);
    httpAdapter.setHeader(response, 'Cache-Control', 'no-cache');
    if (!isKnown(etag, headers['if-none-match'])) return new JsonBytes(bytes);
    httpAdapter.status(response, 304);
    return undefined;
  }
}
