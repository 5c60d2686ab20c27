import { FlowgateError } from './flowgate-error.js';

/** A request's body is not JSON. */
export class MalformedJsonError extends FlowgateError {
  readonly code = 'malformed-json';

  constructor(reason: string) {
    super(`The body is not JSON (${reason}): send a JSON object, uncompressed and in UTF-8`);
  }
}
