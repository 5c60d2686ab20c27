import { UnauthorizedError } from '../errors/access-errors.js';

/** No key is longer, and no token may be. */
const MAX_CHARS = 8 * 1024;
const SCHEME = /^bearer +/i;
/** Of a header that is far beyond it not even the scheme is looked at. */
const MAX_HEADER_CHARS = MAX_CHARS + 64;

/** The key or token of a header `Authorization`. Throws an `UnauthorizedError`. */
export function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined) throw new UnauthorizedError('no credentials were sent');
  if (authorization.length > MAX_HEADER_CHARS) throw new UnauthorizedError('the credentials are over 8 KiB');
  const scheme = SCHEME.exec(authorization);
  if (scheme === null) throw new UnauthorizedError('the credentials are not of the scheme Bearer');
  const text = authorization.slice(scheme[0].length);
  if (text.length > MAX_CHARS) throw new UnauthorizedError('the credentials are over 8 KiB');
  if (!/^[\w\-.~+/]+=*$/.test(text)) throw new UnauthorizedError('the credentials are malformed');
  return text;
}
