import {
  Controller,
  HttpCode,
  Inject,
  Param,
  Post,
  Req,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ACCESS } from '../../config/access/access-tokens.js';
import { NotFoundError } from '../../errors/request-errors.js';
import { AccessGuard } from '../../http/access/access.guard.js';
import { RequiresEverywhere } from '../../http/access/route-access.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import { TakesBody } from '../../http/host-bodies/takes-body.js';
import { authenticatedOf } from '../../http/identity/authenticated.js';
import { ReentrantCallGuard } from '../../http/reentrant-call.guard.js';
import { FlowgateExceptionFilter } from '../../http/refusals/flowgate-exception.filter.js';
import { WebPageGuard } from '../../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../../openapi/operation.js';
import { OWNER } from '../../openapi/parameters.js';
import type { ApiKeys } from '../api-keys.js';
import { assertOwner, NO_KEYS } from './key-requests.js';

/** Ends what an account has. Where nobody is asked, there is none of this. */
@Controller({ path: 'owners/:owner/revoke', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate access')
@UseGuards(WebPageGuard, AccessGuard, ReentrantCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class OwnersController {
  constructor(@Inject(ACCESS) private readonly access: Pick<ApiKeys, 'revokeOwner'> | null) {}

  /** A body is not read. */
  @Post()
  @HttpCode(204)
  @TakesBody()
  @Described({
    summary: 'Revokes all that an owner has',
    description: 'Their keys, with what these made, and the tokens that were issued to them until now.',
    parameters: [OWNER],
    responses: [{ status: 204, description: 'None of it is good for anything any more' }],
    changes: true,
    hasIds: true,
  })
  @RequiresEverywhere('key:manage', { isHidden: true })
  revoke(@Param('owner') owner: string, @Req() request: EdgeRequest): Promise<void> {
    const by = authenticatedOf(request)?.principal;
    if (this.access === null || by === undefined) throw new NotFoundError(NO_KEYS);
    assertOwner(owner);
    return this.access.revokeOwner(by, owner);
  }
}
