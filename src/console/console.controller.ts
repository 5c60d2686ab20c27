import {
  Controller,
  Get,
  Inject,
  Param,
  Req,
  Res,
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
import {
  acceptedEncodings,
  isAtFolder,
  sendBuilt,
  setHeaders,
  type Exchange,
  type Sent,
} from '../http/built-file-response.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { NotDescribed } from '../openapi/operation.js';
import { ConsoleFiles } from './console-files.js';
import { FILE_HEADERS, pageHeaders, SETTINGS_HEADERS, tagWith } from './console-headers.js';
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
  private files: ConsoleFiles | undefined;

  constructor(
    @Inject(FLOWGATE_OPTIONS) private readonly options: EdgeOptions,
    @Inject(CONSOLE_PARTS) private readonly parts: Readonly<Required<HttpParts>>,
    @Inject(ACCESS) private readonly access: Pick<Access, 'signIn'> | null,
    private readonly host: HttpAdapterHost,
  ) {}

  @Get(['', '//'])
  @Open()
  front(@Req() request: EdgeRequest, @Res({ passthrough: true }) response: unknown): Sent | Promise<Sent> {
    const exchange = this.exchange(request, response);
    return isAtFolder(exchange) ? this.page(exchange) : undefined;
  }

  @Get('settings.json')
  @Open()
  settings(@Res({ passthrough: true }) response: unknown): Promise<ConsoleSettings> {
    setHeaders(this.host.httpAdapter, response, SETTINGS_HEADERS);
    return consoleSettings(this.parts, this.options, this.signIn);
  }

  @Get(':name')
  @Open()
  named(
    @Param('name') name: string,
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Sent | Promise<Sent> {
    const exchange = this.exchange(request, response);
    if (SCREEN.test(name)) return this.page(exchange);
    const file = this.built().file(name, acceptedEncodings(request));
    if (file === null) {
      throw new NotFoundError(
        'The console has no such file: it may be one of another version, so load the page anew',
      );
    }
    return sendBuilt(exchange, file, FILE_HEADERS);
  }

  private async page(exchange: Exchange): Promise<Sent> {
    const page = this.built().page(acceptedEncodings(exchange.request));
    if (page === null) throw new NotFoundError('The console is not built: run npm run build');
    const endpoints = (await this.signIn?.endpoints()) ?? null;
    const tokenOrigin = endpoints === null ? null : new URL(endpoints.token).origin;
    // A page that is kept has the policy that it came with.
    const etag = tagWith(page.etag, tokenOrigin);
    return sendBuilt(exchange, { ...page, etag }, pageHeaders(tokenOrigin));
  }

  private exchange(request: EdgeRequest, response: unknown): Exchange {
    return { adapter: this.host.httpAdapter, request, response };
  }

  private get signIn(): SignIn | null {
    return this.access?.signIn ?? null;
  }

  /** At the first request, never at the start. */
  private built(): ConsoleFiles {
    return (this.files ??= new ConsoleFiles());
  }
}
