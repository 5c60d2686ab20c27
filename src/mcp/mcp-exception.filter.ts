import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { ForeignHostError, ForeignPageError, UploadsFullError } from '../errors/edge-errors.js';
import { MalformedJsonError, MethodNotAllowedError, SelfCallError } from '../errors/request-errors.js';
import { ShuttingDownError } from '../errors/service-errors.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { answerTo } from '../http/error-answer.js';
import { HostErrors } from '../http/host-errors.js';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  PARSE_ERROR,
  RpcFault,
  rpcError,
  UNAVAILABLE,
} from './plain/json-rpc.js';
import { profileOfHead } from './profile.js';

/** Refused before the gateway: by our own guards, or by something of the host. */
const REFUSALS = [ForeignHostError, ForeignPageError, MethodNotAllowedError, SelfCallError, HttpException];

/**
 * What reaches the plain gateway is answered with the HTTP status 200, what reaches the official one with the status of what
 * is wrong; what is wrong with the body itself has no id to answer under. What was refused before has its own status, and
 * is no JSON-RPC.
 */
@Catch()
export class McpExceptionFilter implements ExceptionFilter<unknown> {
  private readonly logger = new Logger('Mcp');

  private readonly hostErrors: HostErrors;

  constructor(
    private readonly host: HttpAdapterHost,
    config: ApplicationConfig,
  ) {
    this.hostErrors = new HostErrors(config);
  }

  catch(error: unknown, context: ArgumentsHost): void {
    this.hostErrors.leaveToHost(error, context);
    const response: unknown = context.switchToHttp().getResponse();
    const { status, body, isFault } = answerTo(error);
    const adapter = this.host.httpAdapter;
    if (adapter.isHeadersSent(response)) return;
    if (isFault) this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    if (error instanceof MethodNotAllowedError) {
      adapter.setHeader(response, 'Allow', error.allowed.join(', '));
    }
    const isRefusal = REFUSALS.some((ErrorClass) => error instanceof ErrorClass);
    if (isRefusal || this.hostErrors.isBeforeUs(error, context)) {
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
