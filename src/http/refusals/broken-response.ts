import type { Logger } from '@nestjs/common';
import { UnknownRunError } from '../../errors/run-errors.js';

/** Error codes of a client that disconnects during a response, which need not be logged. */
const OF_CLIENTS: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** Logs why a response broke off after it had begun. That its run was purged in the meantime is not a fault. */
export function logBrokenResponse(logger: Logger, error: Error & { readonly code?: string }): void {
  if (OF_CLIENTS.has(error.code)) return;
  if (error instanceof UnknownRunError)
    logger.debug(`An answer ended, for its run was purged: ${error.message}`);
  else logger.error(error.stack ?? error.message);
}
