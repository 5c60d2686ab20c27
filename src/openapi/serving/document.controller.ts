import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Inject, Param, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { EDGE_DEFAULTS, type EdgeOptions } from '../../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../../config/options.module.js';
import type { StatusKind } from '../../errors/http-status.js';
import { NotFoundError } from '../../errors/request-errors.js';
import { AccessGuard } from '../../http/access/access.guard.js';
import { Open } from '../../http/access/route-access.js';
import { isBuilt } from '../../http/built-files.js';
import { FlowgateExceptionFilter } from '../../http/refusals/flowgate-exception.filter.js';
import { isKnown, readPublished, type PublishedFile } from '../../http/published-file.js';
import { WebPageGuard } from '../../http/web-pages/web-page.guard.js';
import { NotDescribed } from '../operation.js';
import { FRONT_PAGE_POLICY, frontPage, frontPageForBrowsers } from './front-page.js';
import { isPageFile, PAGE_FILES, PAGE_POLICY, pageAt, pageFile } from './docs-page.js';

// The package ships `schemas/` next to `dist/`, so the same relative address holds in the sources and in the build.
const DOCUMENTS: Readonly<Record<StatusKind, URL>> = {
  interface: new URL('../../../schemas/openapi.json', import.meta.url),
  conventional: new URL('../../../schemas/openapi.conventional.json', import.meta.url),
};

/**
 * The OpenAPI document of the standalone service, and a page to read and try it. A host application has neither: it
 * has a document of its own, which includes our operations.
 */
@Controller()
@NotDescribed()
@UseGuards(WebPageGuard, AccessGuard)
@UseFilters(FlowgateExceptionFilter)
export class DocumentController {
  private readonly statuses: StatusKind;
  private readonly hasConsole: boolean;
  private readonly read = new Map<string, PublishedFile>();

  constructor(
    @Inject(FLOWGATE_OPTIONS)
    { statuses = EDGE_DEFAULTS.statuses, hasConsole }: EdgeOptions & { readonly hasConsole: boolean },
  ) {
    this.statuses = statuses;
    this.hasConsole = hasConsole;
  }

  /** A page for a browser, JSON for a program: either leads on. */
  @Get()
  @Open()
  front(@Req() { headers }: IncomingMessage, @Res() response: ServerResponse): void {
    response.setHeader('Vary', 'Accept');
    const parts = { hasConsole: this.hasConsole, hasGuide: isBuilt('docs-guide') };
    if (headers.accept?.includes('text/html') === true)
      sendPage(response, frontPageForBrowsers(parts), FRONT_PAGE_POLICY);
    else sendText(response, frontPage(parts), 'application/json; charset=utf-8');
  }

  @Get('openapi.json')
  @Open()
  document(@Req() request: IncomingMessage, @Res() response: ServerResponse): void {
    const file = this.once('openapi.json', () => readPublished(DOCUMENTS[this.statuses]));
    send(request, response, { file, type: 'application/json; charset=utf-8' });
  }

  @Get('docs')
  @Open()
  page(@Req() { url = '' }: IncomingMessage, @Res() response: ServerResponse): void {
    const [path = ''] = url.split('?');
    sendPage(response, pageAt(path), PAGE_POLICY);
  }

  @Get('docs/:file')
  @Open()
  file(@Param('file') name: string, @Req() request: IncomingMessage, @Res() response: ServerResponse): void {
    if (!isPageFile(name)) throw new NotFoundError(`Nothing is at GET /docs/${name}`);
    const file = this.once(name, () => pageFile(name));
    send(request, response, { file, type: PAGE_FILES[name] });
  }

  private once(name: string, read: () => PublishedFile): PublishedFile {
    const known = this.read.get(name) ?? read();
    this.read.set(name, known);
    return known;
  }
}

function sendPage(response: ServerResponse, page: string, policy: string): void {
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Referrer-Policy', 'no-referrer');
  sendText(response, page, 'text/html; charset=utf-8');
}

function sendText(response: ServerResponse, text: string, type: string): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.end(text);
}

/** The file, or 304 if the client has it. It changes with the version of the service, so clients must revalidate it. */
function send(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { file, type }: { readonly file: PublishedFile; readonly type: string },
): void {
  response.setHeader('ETag', file.etag);
  response.setHeader('Cache-Control', 'no-cache');
  if (isKnown(file.etag, headers['if-none-match'])) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', file.bytes.length);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.end(file.bytes);
}
