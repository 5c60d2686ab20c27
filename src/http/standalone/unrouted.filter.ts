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
import { ACCESS } from '../../config/access/access-tokens.js';
import { UnauthorizedError } from '../../errors/access-errors.js';
import { MethodNotAllowedError } from '../../errors/request-errors.js';
import type { Access } from '../access/access.js';
import { admitted } from '../access/admission.js';
import { RefusalLog } from '../access/refusals/refusal-log.js';
import type { EdgeRequest } from '../edge-request.js';
import { CHALLENGE_HEADER, challengeOf } from '../refusals/challenge.js';
import { errorResponseOf } from '../refusals/error-response.js';
import type { LeanExpressAdapter } from './lean-express-adapter.js';

interface ExpressRequest extends EdgeRequest {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
}

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
    this.respond(
      response,
      refusal ?? (error instanceof NotFoundException ? this.host.httpAdapter.unrouted(request) : error),
    );
  }

  private respond(response: ServerResponse, unrouted: unknown): void {
    if (response.headersSent) return;
    if (unrouted instanceof MethodNotAllowedError) response.setHeader('Allow', unrouted.allowed.join(', '));
    const { status, body, retryAfterSeconds } = errorResponseOf(unrouted);
    if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
    this.host.httpAdapter.reply(response, body, status);
  }
}

/** Why nobody is told about routes; null: it is known who asks. */
async function refusalOf(request: EdgeRequest, access: Access, log: RefusalLog): Promise<unknown> {
  try {
    const { owner } = await admitted(request, access, log);
    access.rates?.take(owner);
    return null;
  } catch (error) {
    return error;
  }
}
