import { InvalidRequestError } from '../errors/request-errors.js';

/** The `Idempotency-Key` of a request: 1 to 256 printable ASCII characters. Null without the header. */
export function checkedIdempotencyKey(header: unknown): string | null {
  if (header === undefined || header === null) return null;
  if (typeof header === 'string' && /^[\x20-\x7E]{1,256}$/.test(header)) return header;
  throw new InvalidRequestError('Idempotency-Key must be 1 to 256 printable ASCII characters');
}
