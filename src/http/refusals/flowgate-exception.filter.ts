import { Catch, Inject, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { ACCESS } from '../../config/access/access-tokens.js';
import { EDGE_DEFAULTS, checkedStatuses, type EdgeOptions } from '../../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../../config/options.module.js';
import { UnauthorizedError } from '../../errors/access-errors.js';
import type { StatusKind } from '../../errors/http-status.js';
import { CHALLENGE_HEADER, challengeOf, type Challenging } from './challenge.js';
import { errorResponseOf, type ErrorResponse } from './error-response.js';
import { HostErrors } from './host-errors.js';
import { logFault } from './log-fault.js';

/**
 * Responds to every error of a controller in our form. It is bound to the controllers, so the global filters of a
 * host see only errors that the host itself has thrown.
 */
@Catch()
export class FlowgateExceptionFilter implements ExceptionFilter<unknown> {
  private readonly logger = new Logger('Flowgate');

  private readonly hostErrors: HostErrors;
  private readonly statuses: StatusKind;

  /** Throws a `ConfigError`. */
  constructor(
    private readonly host: HttpAdapterHost,
    config: ApplicationConfig,
    @Inject(FLOWGATE_OPTIONS) { statuses = EDGE_DEFAULTS.statuses }: EdgeOptions,
    @Inject(ACCESS) private readonly access: Challenging | null,
  ) {
    this.hostErrors = new HostErrors(config);
    this.statuses = checkedStatuses(statuses);
  }

  catch(error: unknown, context: ArgumentsHost): void {
    this.hostErrors.leaveToHost(error, context);
    const response: unknown = context.switchToHttp().getResponse();
    const adapter = this.host.httpAdapter;
    const { status, body, isFault, retryAfterSeconds } = this.errorResponse(error);
    if (isFault) logFault(this.logger, error);
    if (adapter.isHeadersSent(response)) return;
    if (error instanceof UnauthorizedError && this.access !== null)
      adapter.setHeader(response, CHALLENGE_HEADER, challengeOf(this.access));
    if (retryAfterSeconds !== undefined)
      adapter.setHeader(response, 'Retry-After', String(retryAfterSeconds));
    adapter.reply(response, body, status);
  }

  protected errorResponse(error: unknown): ErrorResponse {
    return errorResponseOf(error, this.statuses);
  }
}
