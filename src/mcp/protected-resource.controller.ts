import {
  Controller,
  Get,
  Inject,
  NotFoundException,
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

  private async document(response: unknown): Promise<object> {
    const { access, settings, host, official } = this;
    // The guard lets nobody in then.
    if (access === null || access.login === null) throw new NotFoundException();
    host.httpAdapter.setHeader(response, 'Access-Control-Allow-Origin', '*');
    return official.protectedResource(access.login, {
      scopes: access.scopes,
      name: settings.serverInfo.name,
    });
  }
}
