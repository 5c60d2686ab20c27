import { InvalidRequestError } from '../errors/request-errors.js';

/** What a key may be, wherever a request has it. */
export const IDEMPOTENCY_KEY_RULE = {
  least: 1,
  most: 256,
  characters: /^[ -~]+$/,
  message: 'Idempotency-Key must be 1 to 256 printable ASCII characters',
} as const;

/** The `Idempotency-Key` of a request: 1 to 256 printable ASCII characters. Null without the header. */
export function checkedIdempotencyKey(header: unknown): string | null {
  if (header === undefined || header === null) return null;
  const { least, most, characters, message } = IDEMPOTENCY_KEY_RULE;
  if (typeof header !== 'string' || header.length < least || header.length > most || !characters.test(header))
    throw new InvalidRequestError(message);
  return header;
}
