import { Controller, Get, Inject, Req, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { ACCESS } from '../../config/access/access-tokens.js';
import type { Access } from '../../http/access/access.js';
import { AccessGuard } from '../../http/access/access.guard.js';
import { RequiresPrincipal } from '../../http/access/route-access.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import { authenticatedOf } from '../../http/identity/authenticated.js';
import { FlowgateExceptionFilter } from '../../http/refusals/flowgate-exception.filter.js';
import { WebPageGuard } from '../../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../../openapi/operation.js';
import { WhoAmISchema } from '../../openapi/schemas/access-schemas.js';
import { ANYONE, whoIs, type WhoAmI } from './whoami.js';

@Controller({ path: 'whoami', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate access')
@UseGuards(WebPageGuard, AccessGuard)
@UseFilters(FlowgateExceptionFilter)
export class WhoAmIController {
  constructor(@Inject(ACCESS) private readonly access: Access | null) {}

  @Get()
  @Described({
    summary: 'Says who is asking, and what they may',
    description:
      'Also where nobody is asked who they are: then `auth` is `none`, and everyone may do everything.',
    responses: [{ status: 200, description: 'Who that is', schema: WhoAmISchema }],
    stored: false,
  })
  @RequiresPrincipal()
  read(@Req() request: EdgeRequest): WhoAmI {
    const known = authenticatedOf(request);
    return known === undefined || this.access === null ? ANYONE : whoIs(known.principal, this.access.roles());
  }
}
