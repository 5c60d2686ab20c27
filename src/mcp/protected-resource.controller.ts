import {
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Options,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ACCESS } from '../config/access/access-tokens.js';
import { AccessGuard } from '../http/access/access.guard.js';
import type { Access } from '../http/access/access.js';
import { OpenForLogin } from '../http/access/route-access.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { ProtectedResourceSchema } from '../openapi/schemas/login-schemas.js';
import { McpSettings } from './mcp-settings.js';
import { OfficialGateway } from './official/official-gateway.js';

const RESPONSES = [
  { status: 200, description: 'Where tokens for the gateway come from', schema: ProtectedResourceSchema },
];

const ANY_ORIGIN = ['Access-Control-Allow-Origin', '*'] as const;
const MAY_BE_READ = {
  [ANY_ORIGIN[0]]: ANY_ORIGIN[1],
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '600',
};

/** Says to clients of the gateway for agents where they log in. Where that is nowhere, there is none of this. */
@Controller({ path: '.well-known/oauth-protected-resource', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate tools')
@UseGuards(WebPageGuard, AccessGuard)
@UseFilters(FlowgateExceptionFilter)
export class ProtectedResourceController {
  constructor(
    @Inject(ACCESS) private readonly access: Pick<Access, 'login' | 'scopes'> | null,
    private readonly settings: McpSettings,
    private readonly official: OfficialGateway,
    private readonly host: HttpAdapterHost,
  ) {}

  @Get()
  @Described({
    summary: 'Says where clients of MCP log in (RFC 9728), for those that know the service alone',
    responses: RESPONSES,
    codes: ['not-found'],
    stored: false,
  })
  @OpenForLogin()
  ofService(@Res({ passthrough: true }) response: unknown): Promise<object> {
    return this.document(response);
  }

  @Get('mcp')
  @Described({
    summary: 'Says where clients of MCP log in (RFC 9728)',
    responses: RESPONSES,
    codes: ['not-found'],
    stored: false,
  })
  @OpenForLogin()
  ofGateway(@Res({ passthrough: true }) response: unknown): Promise<object> {
    return this.document(response);
  }

  /** What a browser asks before a page of any origin reads the document with a header of its own, as clients of MCP do. */
  @Options()
  @HttpCode(204)
  @Described({
    summary:
      'Says to pages of any origin that they may read where clients of MCP log in, of the service alone',
    responses: [{ status: 204, description: 'Which methods and headers a page may use' }],
    codes: ['not-found'],
    stored: false,
  })
  @OpenForLogin()
  preflightOfService(@Res({ passthrough: true }) response: unknown): void {
    this.letPagesRead(response);
  }

  @Options('mcp')
  @HttpCode(204)
  @Described({
    summary: 'Says to pages of any origin that they may read where clients of MCP log in',
    responses: [{ status: 204, description: 'Which methods and headers a page may use' }],
    codes: ['not-found'],
    stored: false,
  })
  @OpenForLogin()
  preflightOfGateway(@Res({ passthrough: true }) response: unknown): void {
    this.letPagesRead(response);
  }

  private letPagesRead(response: unknown): void {
    for (const [name, value] of Object.entries(MAY_BE_READ))
      this.host.httpAdapter.setHeader(response, name, value);
  }

  private async document(response: unknown): Promise<object> {
    const { access, settings, host, official } = this;
    // The guard lets nobody in then.
    if (access === null || access.login === null) throw new NotFoundException();
    host.httpAdapter.setHeader(response, ...ANY_ORIGIN);
    return official.protectedResource(access.login, {
      scopes: access.scopes,
      name: settings.serverInfo.name,
    });
  }
}
