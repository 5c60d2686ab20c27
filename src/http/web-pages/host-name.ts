import type { IncomingMessage } from 'node:http';
import { InvalidRequestError } from '../../errors/request-errors.js';

const HOST = /^(?:\[([0-9a-f:.]+)\]|([\w-]+(?:\.[\w-]+)*)\.?)(?::\d{0,5})?$/i;
const ABSOLUTE_TARGET = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/i;

/**
 * The name or address in a `Host` header: in lower case, without port, brackets and the dot of the root. Null for
 * what is not a host, including an address with an interface (`%lo`).
 */
export function hostNameOf(header: string): string | null {
  const [, address, name] = HOST.exec(header) ?? [];
  return (address ?? name)?.toLowerCase() ?? null;
}

/**
 * Refuses a request that names no host, or more than one: code that reads the header and code that reads the target
 * must see the same host (RFC 9112, 3.2). HTTP/1.0 may leave the header out.
 */
export function checkOneHost({
  url,
  httpVersion,
  rawHeaders,
  headers,
}: IncomingMessage): InvalidRequestError | null {
  const hosts = countOfHosts(rawHeaders);
  if (hosts > 1) return new InvalidRequestError('The request has more than one Host header: send one');
  if (hosts === 0 && httpVersion !== '1.0') {
    return new InvalidRequestError('The request has no Host header, which HTTP/1.1 needs: send one');
  }
  if (url === undefined || url.startsWith('/') || url === '*') return null;
  const [, host] = ABSOLUTE_TARGET.exec(url) ?? [];
  if (host !== undefined && host.toLowerCase() === headers.host?.toLowerCase()) return null;
  return new InvalidRequestError(
    'The first line of the request and its Host header name different hosts: send the path alone',
  );
}

/** Node keeps only the first of several in `headers`. */
function countOfHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
