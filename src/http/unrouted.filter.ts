import { Catch, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application, Request, Response } from 'express';
import { MethodNotAllowedError } from '../errors/method-not-allowed-error.js';
import { NotFoundError } from '../errors/not-found-error.js';
import { answerTo } from './error-answer.js';

/** What Express keeps of a route. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Answers what no controller took, in our form: 404, or 405 with `Allow` where only the method is wrong. */
@Catch()
export class UnroutedFilter implements ExceptionFilter<unknown> {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: unknown, context: ArgumentsHost): void {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    const unrouted = error instanceof NotFoundException ? this.explain(http.getRequest<Request>()) : error;
    if (unrouted instanceof MethodNotAllowedError) response.setHeader('Allow', unrouted.allowed.join(', '));
    const { status, body } = answerTo(unrouted);
    if (!response.headersSent) this.host.httpAdapter.reply(response, body, status);
  }

  private explain({ method, path }: Request): Error {
    const allowed = this.methodsOf(path);
    if (allowed.length > 0) return new MethodNotAllowedError(method, allowed);
    return new NotFoundError(`Nothing is at ${method} ${path}`);
  }

  private methodsOf(path: string): readonly string[] {
    const { stack } = this.host.httpAdapter.getInstance<Application>().router as unknown as { stack: Layer[] };
    const methods = stack
      .filter((layer) => layer.route !== undefined && layer.match(path))
      .flatMap((layer) => Object.keys(layer.route?.methods ?? {}))
      .map((name) => name.toUpperCase());
    return [...new Set(methods)].flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
  }
}
