import {
  Catch,
  HttpException,
  Inject,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { ACCESS } from '../config/access/access-tokens.js';
import { UnauthorizedError } from '../errors/access-errors.js';
import { ForeignHostError, CrossOriginError, UploadsFullError } from '../errors/edge-errors.js';
import { MalformedJsonError, MethodNotAllowedError, ReentrantCallError } from '../errors/request-errors.js';
import { ShuttingDownError } from '../errors/service-errors.js';
import type { Access } from '../http/access/access.js';
import { CHALLENGE_HEADER, challengeOf } from '../http/refusals/challenge.js';
import { isAtTheDoor } from '../http/access/refusals/refused-at-the-door.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { errorResponseOf } from '../http/refusals/error-response.js';
import { HostErrors } from '../http/refusals/host-errors.js';
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, RpcFault, rpcError, UNAVAILABLE } from './json-rpc.js';
import { profileOfHead } from './profile.js';

/** Errors of our own guards, or of the host, that refuse a request before the gateway. */
const REFUSALS = [
  ForeignHostError,
  CrossOriginError,
  MethodNotAllowedError,
  ReentrantCallError,
  HttpException,
];

/**
 * Errors on the way to the plain gateway have the HTTP status 200, those on the way to the official one the status of
 * the error; a fault of the body itself has no id to respond under. A request that was refused before has a status of
 * its own, and a body that is not JSON-RPC.
 */
@Catch()
export class McpExceptionFilter implements ExceptionFilter<unknown> {
  private readonly logger = new Logger('Mcp');

  private readonly hostErrors: HostErrors;

  constructor(
    private readonly host: HttpAdapterHost,
    config: ApplicationConfig,
    @Inject(ACCESS) private readonly access: Pick<Access, 'login' | 'scopes'> | null,
  ) {
    this.hostErrors = new HostErrors(config);
  }

  catch(error: unknown, context: ArgumentsHost): void {
    this.hostErrors.leaveToHost(error, context);
    const response: unknown = context.switchToHttp().getResponse();
    const { status, body, isFault, retryAfterSeconds } = errorResponseOf(error);
    const adapter = this.host.httpAdapter;
    if (adapter.isHeadersSent(response)) return;
    if (isFault) this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    if (error instanceof MethodNotAllowedError) {
      adapter.setHeader(response, 'Allow', error.allowed.join(', '));
    }
    // The guard's own challenge does not say how a client of MCP gets a token.
    if (error instanceof UnauthorizedError && this.access !== null) {
      const { metadataUrl = null } = this.access.login ?? {};
      adapter.setHeader(response, CHALLENGE_HEADER, challengeOf(this.access, metadataUrl));
    }
    const isRefusal = isAtTheDoor(error) || REFUSALS.some((ErrorClass) => error instanceof ErrorClass);
    if (isRefusal || this.hostErrors.isBeforeUs(error, context)) {
      if (retryAfterSeconds !== undefined)
        adapter.setHeader(response, 'Retry-After', String(retryAfterSeconds));
      adapter.reply(response, body, status);
      return;
    }
    const fault = rpcError(null, new RpcFault(codeFor(error, isFault), body.error));
    adapter.reply(response, fault, isPlain(context.switchToHttp().getRequest()) ? 200 : status);
  }
}

function isPlain({ headers }: EdgeRequest): boolean {
  return profileOfHead(headers) !== 'official';
}

function codeFor(error: unknown, isFault: boolean): number {
  if (isFault) return INTERNAL_ERROR;
  if (error instanceof MalformedJsonError) return PARSE_ERROR;
  const isForLater = error instanceof UploadsFullError || error instanceof ShuttingDownError;
  return isForLater ? UNAVAILABLE : INVALID_REQUEST;
}
