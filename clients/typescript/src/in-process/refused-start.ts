import type { RefusedStart } from '../types/batches.js';
import { answerAsHttp } from './answer-as-http.js';

/** What the service would answer at the place of this run. */
export function refusedStart(cause: unknown): RefusedStart {
  const { error, code = '', status, type, details, detail } = answerAsHttp(cause, 'steering');
  return {
    error,
    code,
    status,
    ...(type === undefined ? {} : { type }),
    ...(details.length === 0 ? {} : { details }),
    ...(detail === undefined ? {} : { detail }),
  };
}
