import type { ServerResponse } from 'node:http';
import {
  Catch,
  Inject,
  Logger,
  NotFoundException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ACCESS } from '../../config/instance-tokens.js';
import { UnauthorizedError } from '../../errors/access-errors.js';
import { MethodNotAllowedError, NotFoundError } from '../../errors/request-errors.js';
import type { Access } from '../access/access.js';
import { admitted, CHALLENGE_HEADER, challengeOf } from '../access/admission.js';
import { RefusalLog } from '../access/refusal-log.js';
import type { EdgeRequest } from '../edge-request.js';
import { errorResponseOf } from '../refusals/error-response.js';
import type { LeanExpressAdapter } from './lean-express-adapter.js';

interface ExpressRequest extends EdgeRequest {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
}

/** Routes that are not there where nobody is asked who they are. */
const OF_KEYS = /^\/(?:keys|owners)(?:\/|$)/i;

/**
 * Responds to requests without a route in our form: 404, or 405 with `Allow` if only the method is wrong. Where it is asked who is
 * asking, nobody else learns which routes there are.
 */
@Catch()
export class UnroutedFilter implements ExceptionFilter<unknown> {
  private readonly log = new RefusalLog((line) => new Logger('Access').warn(line));

  constructor(
    private readonly host: HttpAdapterHost<LeanExpressAdapter>,
    @Inject(ACCESS) private readonly access: Access | null,
  ) {}

  async catch(error: unknown, context: ArgumentsHost): Promise<void> {
    const http = context.switchToHttp();
    const response = http.getResponse<ServerResponse>();
    const request = http.getRequest<ExpressRequest>();
    const refusal = this.access === null ? null : await refusalOf(request, this.access, this.log);
    if (refusal instanceof UnauthorizedError && this.access !== null)
      response.setHeader(CHALLENGE_HEADER, challengeOf(this.access));
    this.respond(response, refusal ?? (error instanceof NotFoundException ? this.explain(request) : error));
  }

  private respond(response: ServerResponse, unrouted: unknown): void {
    if (response.headersSent) return;
    if (unrouted instanceof MethodNotAllowedError) response.setHeader('Allow', unrouted.allowed.join(', '));
    const { status, body } = errorResponseOf(unrouted);
    this.host.httpAdapter.reply(response, body, status);
  }

  private explain({ method, path }: ExpressRequest): Error {
    const { httpAdapter } = this.host;
    const isThere = (of: string): boolean => this.access !== null || !OF_KEYS.test(of);
    const methods = isThere(path) ? httpAdapter.methodsAt(path) : [];
    const allowed = methods.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
    const near = httpAdapter.nearRoutes(method, path, isThere);
    const detail = near.length === 0 ? undefined : `Did you mean ${near.join(', or ')}?`;
    if (allowed.length > 0) return new MethodNotAllowedError(method, allowed, detail);
    return new NotFoundError(`Nothing is at ${method} ${path}`, detail === undefined ? {} : { detail });
  }
}

/** Why nobody is told about routes; null: it is known who asks. */
async function refusalOf(request: EdgeRequest, access: Access, log: RefusalLog): Promise<unknown> {
  try {
    await admitted(request, access, log);
    return null;
  } catch (error) {
    return error;
  }
}
