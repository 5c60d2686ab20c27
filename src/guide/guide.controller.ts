import { Controller, Get, Param, Req, Res, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { NotFoundError } from '../errors/request-errors.js';
import { AccessGuard } from '../http/access/access.guard.js';
import { Open } from '../http/access/route-access.js';
import {
  acceptedEncodings,
  isAtFolder,
  sendBuilt,
  type Exchange,
  type Sent,
} from '../http/built-file-response.js';
import { BuiltFiles, builtFolder, isBuilt, PAGE } from '../http/built-files.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { NotDescribed } from '../openapi/operation.js';
import { guideHeaders } from './guide-headers.js';

/**
 * The guide: the pages of `docs/`, where `npm run docs` has made them. Each is one segment below it, so that all addresses are
 * relative and any prefix or proxy may be in front.
 */
@Controller({ path: 'docs/guide', version: VERSION_NEUTRAL })
@NotDescribed()
@UseGuards(WebPageGuard, AccessGuard)
@UseFilters(FlowgateExceptionFilter)
export class GuideController {
  private files: BuiltFiles | undefined;

  constructor(private readonly host: HttpAdapterHost) {}

  /** With or without a slash at its end. A route that ends in one would keep those after it from the table of routes. */
  @Get()
  @Open()
  front(@Req() request: EdgeRequest, @Res({ passthrough: true }) response: unknown): Sent {
    const exchange = { adapter: this.host.httpAdapter, request, response };
    // Nobody is led to what is not there.
    if (isBuilt('docs-guide') && !isAtFolder(exchange)) return undefined;
    return this.send(PAGE, exchange);
  }

  @Get(':name')
  @Open()
  named(
    @Param('name') name: string,
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Sent {
    return this.send(name, { adapter: this.host.httpAdapter, request, response });
  }

  private send(name: string, exchange: Exchange): Sent {
    const file = this.built()?.named(name, acceptedEncodings(exchange.request)) ?? null;
    if (file === null) throw new NotFoundError(notThere());
    return sendBuilt(exchange, file, guideHeaders(file.type));
  }

  /** At the first request, never at the start; undefined: the guide is not built yet. */
  private built(): BuiltFiles | undefined {
    if (this.files === undefined && isBuilt('docs-guide'))
      this.files = new BuiltFiles(builtFolder('docs-guide'));
    return this.files;
  }
}

function notThere(): string {
  return isBuilt('docs-guide')
    ? 'The guide has no such page: it begins at /docs/guide/'
    : 'The guide is not built here: run npm run docs in the repository, or read the pages in its folder docs';
}
