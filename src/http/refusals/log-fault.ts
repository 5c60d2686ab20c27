import type { Logger } from '@nestjs/common';

/** Logs a fault of the service, of which the caller is told no more than that there was one. */
export function logFault(logger: Logger, error: unknown): void {
  logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
