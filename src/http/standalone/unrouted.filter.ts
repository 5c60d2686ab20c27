import type { ServerResponse } from 'node:http';
import { Catch, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { MethodNotAllowedError, NotFoundError } from '../../errors/request-errors.js';
import { errorResponseOf } from '../refusals/error-response.js';
import type { LeanExpressAdapter } from './lean-express-adapter.js';

interface ExpressRequest {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
}

/** Responds to requests without a route in our form: 404, or 405 with `Allow` if only the method is wrong. */
@Catch()
export class UnroutedFilter implements ExceptionFilter<unknown> {
  constructor(private readonly host: HttpAdapterHost<LeanExpressAdapter>) {}

  catch(error: unknown, context: ArgumentsHost): void {
    const http = context.switchToHttp();
    const response = http.getResponse<ServerResponse>();
    const unrouted =
      error instanceof NotFoundException ? this.explain(http.getRequest<ExpressRequest>()) : error;
    if (unrouted instanceof MethodNotAllowedError) response.setHeader('Allow', unrouted.allowed.join(', '));
    const { status, body } = errorResponseOf(unrouted);
    if (!response.headersSent) this.host.httpAdapter.reply(response, body, status);
  }

  private explain({ method, path }: ExpressRequest): Error {
    const methods = this.host.httpAdapter.methodsAt(path);
    const allowed = methods.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
    const near = this.host.httpAdapter.nearRoutes(method, path);
    const detail = near.length === 0 ? undefined : `Did you mean ${near.join(', or ')}?`;
    if (allowed.length > 0) return new MethodNotAllowedError(method, allowed, detail);
    return new NotFoundError(`Nothing is at ${method} ${path}`, detail === undefined ? {} : { detail });
  }
}
