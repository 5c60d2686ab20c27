import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Controller, Get, Req, Res, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';
import { JsonBytes } from '../http/long-answers/json-bytes.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';

// The package ships `schemas/` beside `dist/`, so the same relative address holds in the sources and when built.
const SCHEMA_URL = new URL('../../schemas/workflow.v1.schema.json', import.meta.url);

interface PublishedSchema {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** The published schema of the workflow language, for editors: `# yaml-language-server: $schema=<its address>`. */
@Controller({ path: 'schemas', version: VERSION_NEUTRAL })
@UseFilters(FlowgateExceptionFilter)
@UseGuards(WebPageGuard)
export class SchemaController {
  private published: PublishedSchema | undefined;

  constructor(private readonly host: HttpAdapterHost) {}

  /** The file as it is shipped; 304 for who has it. It changes with the version of the service, so it is asked for anew. */
  @Get('workflow.v1.json')
  schema(
    @Req() { headers }: EdgeRequest,
    @Res({ passthrough: true }) response: unknown,
  ): JsonBytes | undefined {
    const { bytes, etag } = (this.published ??= readSchema());
    const { httpAdapter } = this.host;
    httpAdapter.setHeader(response, 'ETag', etag);
    httpAdapter.setHeader(response, 'Cache-Control', 'no-cache');
    if (!isKnown(etag, headers['if-none-match'])) return new JsonBytes(bytes);
    httpAdapter.status(response, 304);
    return undefined;
  }
}

function readSchema(): PublishedSchema {
  const bytes = readFileSync(SCHEMA_URL);
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

/** Whether the caller has it: a proxy that compresses may have made a weak tag of ours. */
function isKnown(etag: string, asked: string | undefined): boolean {
  return (asked ?? '').split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));
}
