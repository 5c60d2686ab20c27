import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { answerTo, type ErrorAnswer } from './error-answer.js';
import { HostErrors } from './host-errors.js';

/**
 * Answers every error of a controller in our form. Bound to the controllers: of what happens there the global filters of
 * a host see only what the host itself has thrown.
 */
@Catch()
export class FlowgateExceptionFilter implements ExceptionFilter<unknown> {
  private readonly logger = new Logger('Flowgate');

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
    const adapter = this.host.httpAdapter;
    const { status, body, isFault, retryAfterSeconds } = this.answer(error);
    if (isFault) this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    if (adapter.isHeadersSent(response)) return;
    if (retryAfterSeconds !== undefined)
      adapter.setHeader(response, 'Retry-After', String(retryAfterSeconds));
    adapter.reply(response, body, status);
  }

  protected answer(error: unknown): ErrorAnswer {
    return answerTo(error);
  }
}
