import type { Logger } from '@nestjs/common';
import type { StatusKind } from '../../errors/http-status.js';
import { errorResponseOf, type ErrorBody } from './error-response.js';
import { logFault } from './log-fault.js';

/** What stands in place of one item of a response: the body and the status of the response that its error alone would be. */
export interface RefusedItem extends ErrorBody {
  readonly status: number;
}

/** A fault of the service is logged, as the exception filter logs those of whole requests. */
export function refusedItem(error: unknown, statuses: StatusKind, logger: Logger): RefusedItem {
  const { body, status, isFault } = errorResponseOf(error, statuses);
  if (isFault) logFault(logger, error);
  return { ...body, status };
}
