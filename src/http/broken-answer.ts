import type { Logger } from '@nestjs/common';
import { UnknownRunError } from '../errors/run-errors.js';

/** What a connection says of a client that goes away while its answer is on the way: nothing that the log must hear of. */
const OF_CLIENTS: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** Says why an answer was broken off that had begun. That its run was purged meanwhile is no fault of anybody. */
export function sayBrokenOff(logger: Logger, error: Error & { readonly code?: string }): void {
  if (OF_CLIENTS.has(error.code)) return;
  if (error instanceof UnknownRunError)
    logger.debug(`An answer ended, for its run was purged: ${error.message}`);
  else logger.error(error.stack ?? error.message);
}
