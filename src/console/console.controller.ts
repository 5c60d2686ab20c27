import {
  Controller,
  Get,
  Inject,
  Param,
  Req,
  Res,
  StreamableFile,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ACCESS } from '../config/access/access-tokens.js';
import type { EdgeOptions } from '../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import type { HttpParts } from '../config/placement.js';
import { NotFoundError } from '../errors/request-errors.js';
import type { Access } from '../http/access/access.js';
import { AccessGuard } from '../http/access/access.guard.js';
import { Open } from '../http/access/route-access.js';
import type { SignIn } from '../http/access/sign-in.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { isKnown } from '../http/published-file.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { NotDescribed } from '../openapi/operation.js';
import { BuiltFiles, type ConsoleFile } from './built-files.js';
import { cacheControl, FILE_HEADERS, pageHeaders, SETTINGS_HEADERS, tagWith } from './console-headers.js';
import { consoleSettings, type ConsoleSettings } from './console-settings.js';

/** The parts of the HTTP surface that the instance has. */
export const CONSOLE_PARTS = Symbol('CONSOLE_PARTS');

/** What one looks at: a word, and the rest of it in the query. Files have a dot. */
const SCREEN = /^[a-z]+(?:-[a-z]+)*$/;

/**
 * The console: one page for every address one segment below it, so that everything else can be relative and any prefix or proxy
 * may be in front.
 */
@Controller({ path: 'console', version: VERSION_NEUTRAL })
@NotDescribed()
@UseGuards(WebPageGuard, AccessGuard)
@UseFilters(FlowgateExceptionFilter)
export class ConsoleController {
  private files: BuiltFiles | undefined;

  constructor(
    @Inject(FLOWGATE_OPTIONS) private readonly options: EdgeOptions,
    @Inject(CONSOLE_PARTS) private readonly parts: Readonly<Required<HttpParts>>,
    @Inject(ACCESS) private readonly access: Pick<Access, 'signIn'> | null,
    private readonly host: HttpAdapterHost,
  ) {}

  /**
   * Relative addresses begin at the last slash, so the page needs one. Fastify tells the two addresses apart, and Nest takes one
   * slash from the end of each.
   */
  @Get(['', '//'])
  @Open()
  front(@Req() request: EdgeRequest, @Res({ passthrough: true }) response: unknown): Sent | Promise<Sent> {
    const [path = '', query] = request.url.split('?');
    if (path.endsWith('/')) return this.page(request, response);
    const target = `${path.slice(path.lastIndexOf('/') + 1)}/${query === undefined ? '' : `?${query}`}`;
    this.host.httpAdapter.setHeader(response, 'Location', target);
    this.host.httpAdapter.status(response, 308);
    return undefined;
  }

  @Get('settings.json')
  @Open()
  settings(@Res({ passthrough: true }) response: unknown): Promise<ConsoleSettings> {
    this.setHeaders(response, SETTINGS_HEADERS);
    return consoleSettings(this.parts, this.options, this.signIn);
  }

  @Get(':name')
  @Open()
  named(
    @Param('name') name: string,
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Sent | Promise<Sent> {
    if (SCREEN.test(name)) return this.page(request, response);
    const file = this.built().file(name, acceptedEncodings(request));
    if (file === null) {
      throw new NotFoundError(
        'The console has no such file: it may be one of another version, so load the page anew',
      );
    }
    return this.send(file, FILE_HEADERS, request, response);
  }

  private async page(request: EdgeRequest, response: unknown): Promise<Sent> {
    const page = this.built().page(acceptedEncodings(request));
    if (page === null) throw new NotFoundError('The console is not built: run npm run build');
    const endpoints = (await this.signIn?.endpoints()) ?? null;
    const tokenOrigin = endpoints === null ? null : new URL(endpoints.token).origin;
    // A page that is kept has the policy that it came with.
    const etag = tagWith(page.etag, tokenOrigin);
    return this.send({ ...page, etag }, pageHeaders(tokenOrigin), request, response);
  }

  private send(
    file: ConsoleFile,
    own: Readonly<Record<string, string>>,
    { headers }: EdgeRequest,
    response: unknown,
  ): Sent {
    const { bytes, etag, encoding, type, isImmutable } = file;
    this.setHeaders(response, {
      ...own,
      'Cache-Control': cacheControl(isImmutable),
      ETag: etag,
      Vary: 'Accept-Encoding',
    });
    if (isKnown(etag, headers['if-none-match'])) {
      this.host.httpAdapter.status(response, 304);
      return undefined;
    }
    if (encoding !== null) this.setHeaders(response, { 'Content-Encoding': encoding });
    return new StreamableFile(bytes, { type, length: bytes.length });
  }

  private get signIn(): SignIn | null {
    return this.access?.signIn ?? null;
  }

  /** At the first request, never at the start. */
  private built(): BuiltFiles {
    return (this.files ??= new BuiltFiles());
  }

  private setHeaders(response: unknown, headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers))
      this.host.httpAdapter.setHeader(response, name, value);
  }
}

/** A file, or nothing where the head says it all. */
type Sent = StreamableFile | undefined;

function acceptedEncodings({ headers }: EdgeRequest): string | undefined {
  const accepted = headers['accept-encoding'];
  return Array.isArray(accepted) ? accepted.join(',') : accepted;
}
