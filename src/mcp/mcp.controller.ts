import type { ServerResponse } from 'node:http';
import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ACCESS } from '../config/access/access-tokens.js';
import { InvalidRequestError, MethodNotAllowedError } from '../errors/request-errors.js';
import type { Access } from '../http/access/access.js';
import { AccessGuard } from '../http/access/access.guard.js';
import { Requires } from '../http/access/route-access.js';
import { authenticatedOf } from '../http/identity/authenticated.js';
import { RequestContexts } from '../http/identity/request-contexts.js';
import type { RequestContext } from '../http/identity/request-context.js';
import { streamOf, type EdgeRequest } from '../http/edge-request.js';
import type { EdgeResponse } from '../http/edge-response.js';
import { TakesBody } from '../http/host-bodies/takes-body.js';
import { JsonBodyReader } from '../http/bodies/json-body-reader.js';
import { inChunksIfLong } from '../http/long-responses/long-response.js';
import { ReentrantCallGuard } from '../http/reentrant-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { SESSION } from '../openapi/parameters.js';
import { RpcRequestSchema, RpcResponseSchema } from '../openapi/schemas/rpc-schemas.js';
import { McpExceptionFilter } from './mcp-exception.filter.js';
import { OfficialGateway } from './official/official-gateway.js';
import { SESSION_ID } from './official/sessions/http-exchange.js';
import { bodyOf, exchangeOf, headersOf } from './official/sessions/web-exchange.js';
import { PlainGateway } from './plain/plain-gateway.js';
import { isRecord, type RpcResponse } from './json-rpc.js';
import { profileOfBody, profileOfHead } from './profile.js';

const NO_SESSION = { status: 404, description: 'The session is over', schema: RpcResponseSchema };

type McpBody = object | string | undefined;

/** `/mcp` for both profiles; `profile.ts` decides which one serves a request. */
@Controller({ path: 'mcp', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate tools')
@UseGuards(WebPageGuard, AccessGuard, ReentrantCallGuard)
@UseFilters(McpExceptionFilter)
export class McpController {
  constructor(
    private readonly plain: PlainGateway,
    private readonly official: OfficialGateway,
    private readonly bodies: JsonBodyReader,
    private readonly contexts: RequestContexts,
    private readonly host: HttpAdapterHost,
    @Inject(ACCESS) private readonly access: Pick<Access, 'admissions'> | null,
  ) {}

  @Post()
  @HttpCode(200)
  @TakesBody()
  @Described({
    summary: 'The same operations for agents, over MCP or plain JSON-RPC 2.0',
    description:
      'Plain JSON-RPC, as described here, is answered with 200, faults in `error`, whatever the body is. Whoever asks for ' +
      'a revision of MCP from 2025-03-26 on is served as that revision has it.',
    body: { schema: RpcRequestSchema, required: true },
    responses: [{ status: 200, description: 'The answer of JSON-RPC', schema: RpcResponseSchema }],
    changes: true,
  })
  @Requires(null)
  async answer(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) response: EdgeResponse,
  ): Promise<McpBody | RpcResponse> {
    const pending = this.contexts.of(request, 'mcp');
    const context = pending instanceof Promise ? await pending : pending;
    const source = await this.bodies.readSource(request);
    const head = profileOfHead(request.headers);
    const profile = head === 'undecided' ? profileOfBody(source.value) : head;
    if (profile === 'plain') return inChunksIfLong(await this.plain.answer(source, context));
    if (source.exceeded !== null) throw new InvalidRequestError(source.exceeded);
    return this.serve(request, response, { body: source.value, context });
  }

  @Get()
  @Described({
    summary: 'What the server says of its own accord, of a session of MCP (2025 revisions)',
    parameters: [SESSION],
    responses: [
      { status: 200, description: 'Server-sent events, each a message of JSON-RPC' },
      NO_SESSION,
      { status: 406, description: '`Accept` does not name text/event-stream', schema: RpcResponseSchema },
    ],
    stored: false,
  })
  @Requires(null)
  listen(@Req() request: EdgeRequest, @Res({ passthrough: true }) response: EdgeResponse): Promise<McpBody> {
    return this.withoutBody(request, response);
  }

  @Delete()
  @HttpCode(200)
  @Described({
    summary: 'Ends a session of MCP (2025 revisions)',
    parameters: [SESSION],
    responses: [{ status: 200, description: 'It is over' }, NO_SESSION],
    stored: false,
  })
  @Requires(null)
  end(@Req() request: EdgeRequest, @Res({ passthrough: true }) response: EdgeResponse): Promise<McpBody> {
    return this.withoutBody(request, response);
  }

  private async withoutBody(request: EdgeRequest, response: EdgeResponse): Promise<McpBody> {
    const { method = 'GET' } = streamOf(request);
    // A client without a session came by mistake, or checks whether the server sends messages without one.
    if (request.headers[SESSION_ID] === undefined) throw new MethodNotAllowedError(method, ['POST']);
    // Nest handles a HEAD like a GET, and a stream would begin.
    if (method === 'HEAD') throw new MethodNotAllowedError(method, ['GET', 'POST', 'DELETE']);
    const pending = this.contexts.of(request, 'mcp');
    const context = pending instanceof Promise ? await pending : pending;
    return this.serve(request, response, { body: undefined, context });
  }

  private async serve(
    request: EdgeRequest,
    response: EdgeResponse,
    { body, context }: { readonly body: unknown; readonly context: RequestContext },
  ): Promise<McpBody> {
    const { exchange, release } = exchangeOf(request, response, { body, context });
    const httpResponse = await this.official.answer(exchange);
    if ('message' in httpResponse) {
      release();
      return httpResponse.message;
    }
    const { httpAdapter } = this.host;
    httpAdapter.status(response, httpResponse.status);
    for (const [name, value] of headersOf(httpResponse)) httpAdapter.setHeader(response, name, value);
    const isOpenEnded = body === undefined || isSubscription(body);
    const said = await bodyOf(httpResponse, isOpenEnded ? this.dismissalOf(exchange.response) : null);
    if (typeof said === 'string') release();
    return said;
  }

  /** Fires once the request would be refused; null: nobody is asked who they are. Calls that wait are answered all the same. */
  private dismissalOf(response: ServerResponse): AbortSignal | null {
    const known = this.access === null ? undefined : authenticatedOf(response.req);
    if (this.access === null || known === undefined) return null;
    const dismissed = new AbortController();
    const dismiss = (): void => dismissed.abort();
    const letGo = this.access.admissions.watch({ known, workflowId: null, dismiss });
    if (response.destroyed) letGo();
    else response.once('close', letGo);
    return dismissed.signal;
  }
}

/** What a client of the revisions from 2026-07-28 on listens to. */
function isSubscription(body: unknown): boolean {
  return isRecord(body) && body['method'] === 'subscriptions/listen';
}
