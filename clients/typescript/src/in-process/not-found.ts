import { FlowgateApiError } from '../errors/api-error.js';

/** Throws what the service answers where there is nothing. */
export function notFound(error: string, code = 'not-found'): never {
  throw new FlowgateApiError({ status: 404, code, error });
}
