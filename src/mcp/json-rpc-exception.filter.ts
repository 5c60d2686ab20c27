import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { MalformedJsonError } from '../errors/request-errors.js';
import { answerTo } from '../http/error-answer.js';
import { INVALID_REQUEST, PARSE_ERROR, RpcFault, rpcError } from './json-rpc.js';

const INTERNAL_ERROR = -32603;

/** At /mcp the HTTP status is always 200; what is wrong with the body itself has no id to answer under. */
@Catch()
export class JsonRpcExceptionFilter implements ExceptionFilter<unknown> {
  private readonly logger = new Logger('Mcp');

  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: unknown, context: ArgumentsHost): void {
    const response: unknown = context.switchToHttp().getResponse();
    const { body, isFault } = answerTo(error);
    if (isFault) this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const code = isFault
      ? INTERNAL_ERROR
      : error instanceof MalformedJsonError
        ? PARSE_ERROR
        : INVALID_REQUEST;
    const adapter = this.host.httpAdapter;
    if (!adapter.isHeadersSent(response)) {
      adapter.reply(response, rpcError(null, new RpcFault(code, body.error)), 200);
    }
  }
}
