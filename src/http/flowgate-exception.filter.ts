import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { answerTo, type ErrorAnswer } from './error-answer.js';

/**
 * Answers every error of a controller in our form. Bound to the controllers: a host's global filters never see
 * what happens there.
 */
@Catch()
export class FlowgateExceptionFilter implements ExceptionFilter<unknown> {
  private readonly logger = new Logger('Flowgate');

  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: unknown, context: ArgumentsHost): void {
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
