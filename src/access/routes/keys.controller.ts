import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { API_KEYS } from '../../config/access/access-tokens.js';
import type { Principal } from '../../engine/index.js';
import { NotFoundError } from '../../errors/request-errors.js';
import { AccessGuard } from '../../http/access/access.guard.js';
import { RequiresKeyHolder } from '../../http/access/route-access.js';
import { JsonBodyReader } from '../../http/bodies/json-body-reader.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import { TakesBody } from '../../http/host-bodies/takes-body.js';
import { authenticatedOf } from '../../http/identity/authenticated.js';
import { LIST_LIMIT, Query } from '../../http/query/query.js';
import { ReentrantCallGuard } from '../../http/reentrant-call.guard.js';
import { FlowgateExceptionFilter } from '../../http/refusals/flowgate-exception.filter.js';
import { WebPageGuard } from '../../http/web-pages/web-page.guard.js';
import { LIST_PAGE } from '../../openapi/list-parameters.js';
import { Described, DescribedUnder } from '../../openapi/operation.js';
import { KEY_ID, namesOf, OF_OWNER } from '../../openapi/parameters.js';
import { KeyListSchema, MadeKeySchema } from '../../openapi/schemas/access-schemas.js';
import type { ApiKeys } from '../api-keys.js';
import { MakeKeyDto } from './dto/make-key.dto.js';
import { RotateKeyDto } from './dto/rotate-key.dto.js';
import { assertOwner, makeKeyRequestIn, NO_KEYS, rotationIn } from './key-requests.js';

type MadeKey = Awaited<ReturnType<ApiKeys['make']>>;
type KeyPage = Awaited<ReturnType<ApiKeys['list']>>;

/** The API keys of whoever asks, and, with `key:manage`, those of others. Where nobody is asked, there is none of this. */
@Controller({ path: 'keys', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate access')
@UseGuards(WebPageGuard, AccessGuard, ReentrantCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class KeysController {
  constructor(
    @Inject(API_KEYS) private readonly keys: ApiKeys | null,
    private readonly bodies: JsonBodyReader,
    private readonly host: HttpAdapterHost,
  ) {}

  @Post()
  @HttpCode(201)
  @TakesBody()
  @Described({
    summary: 'Makes an API key',
    description:
      'Its secret is shown this once. A key never may more than whoever made it, and ends with them.',
    body: { schema: MakeKeyDto, required: false },
    responses: [{ status: 201, description: 'The key, and its secret', schema: MadeKeySchema }],
    codes: ['keys-full', 'not-found'],
    changes: true,
  })
  @RequiresKeyHolder()
  async make(@Req() request: EdgeRequest, @Res({ passthrough: true }) response: object): Promise<MadeKey> {
    this.askedBy(request);
    const asked = makeKeyRequestIn(await this.bodies.read(request));
    const { keys, by } = this.askedBy(request);
    const made = await keys.make(by, asked);
    this.keepFromCaches(response);
    return made;
  }

  @Get()
  @Described({
    summary: 'Lists API keys',
    description: 'Your own; with `key:manage` those of all, or of one owner.',
    parameters: [OF_OWNER, ...LIST_PAGE],
    responses: [{ status: 200, description: 'A page, newest first', schema: KeyListSchema }],
    codes: ['not-found'],
  })
  @RequiresKeyHolder()
  list(@Req() request: EdgeRequest): Promise<KeyPage> {
    const { keys, by } = this.askedBy(request);
    const query = new Query(request.url);
    query.expectOnly(namesOf([OF_OWNER, ...LIST_PAGE]));
    const [owner, cursor] = [query.text('owner'), query.text('cursor')];
    if (owner !== null) assertOwner(owner);
    return keys.list(by, {
      limit: query.wholeNumber('limit', LIST_LIMIT),
      ...(owner === null ? {} : { owner }),
      ...(cursor === null ? {} : { cursor }),
    });
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @TakesBody()
  @Described({
    summary: 'Gives a key another secret',
    description: 'It expires when it would have. The old secret is good for `overlapMs` more.',
    parameters: [KEY_ID],
    body: { schema: RotateKeyDto, required: false },
    responses: [{ status: 200, description: 'The key, and its new secret', schema: MadeKeySchema }],
    codes: ['unknown-key'],
    changes: true,
    hasIds: true,
  })
  @RequiresKeyHolder()
  async rotate(
    @Param('id') id: string,
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: object,
  ): Promise<MadeKey> {
    this.askedBy(request);
    const asked = rotationIn(await this.bodies.read(request));
    const { keys, by } = this.askedBy(request);
    const rotated = await keys.rotate(by, id, asked);
    this.keepFromCaches(response);
    return rotated;
  }

  @Delete(':id')
  @HttpCode(204)
  @Described({
    summary: 'Revokes a key, and those that it made',
    parameters: [KEY_ID],
    responses: [{ status: 204, description: 'It is good for nothing any more' }],
    codes: ['unknown-key', 'self-call', 'foreign-page'],
    hasIds: true,
  })
  @RequiresKeyHolder()
  revoke(@Param('id') id: string, @Req() request: EdgeRequest): Promise<void> {
    const { keys, by } = this.askedBy(request);
    return keys.revoke(by, id);
  }

  /** The guard lets nobody in who is not known. After the body was read they may be granted something else. */
  private askedBy(request: EdgeRequest): { readonly keys: ApiKeys; readonly by: Principal } {
    const by = authenticatedOf(request)?.principal;
    if (this.keys === null || by === undefined) throw new NotFoundError(NO_KEYS);
    return { keys: this.keys, by };
  }

  private keepFromCaches(response: object): void {
    this.host.httpAdapter.setHeader(response, 'Cache-Control', 'no-store');
  }
}
