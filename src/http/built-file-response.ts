import { StreamableFile, type HttpServer } from '@nestjs/common';
import type { BuiltFile } from './built-files.js';
import type { EdgeRequest } from './edge-request.js';
import { isKnown } from './published-file.js';

/** Headers by their names. */
type HeaderFields = Readonly<Record<string, string>>;

/** A file, or nothing where the head says it all. */
export type Sent = StreamableFile | undefined;

/** Both sides of a request, on whichever adapter. */
export interface Exchange {
  readonly adapter: HttpServer;
  readonly request: EdgeRequest;
  readonly response: unknown;
}

/** What a handler with `passthrough` returns: the file with headers of its own, or 304 where the client has it. */
export function sendBuilt(
  { adapter, request, response }: Exchange,
  file: BuiltFile,
  own: HeaderFields,
): Sent {
  const { bytes, etag, encoding, type, isImmutable } = file;
  setHeaders(adapter, response, {
    ...own,
    'Cache-Control': cacheControl(isImmutable),
    ETag: etag,
    Vary: 'Accept-Encoding',
  });
  if (isKnown(etag, request.headers['if-none-match'])) {
    adapter.status(response, 304);
    return undefined;
  }
  if (encoding !== null) adapter.setHeader(response, 'Content-Encoding', encoding);
  return new StreamableFile(bytes, { type, length: bytes.length });
}

/**
 * Leads to the same address with a slash at its end, where relative addresses begin. True: the request has one, and nothing was
 * done. Fastify tells the two addresses apart, and Nest takes one slash from the end of each: `@Get(['', '//'])` is both.
 */
export function isAtFolder({ adapter, request, response }: Exchange): boolean {
  const [path = '', query] = request.url.split('?');
  if (path.endsWith('/')) return true;
  const target = `${path.slice(path.lastIndexOf('/') + 1)}/${query === undefined ? '' : `?${query}`}`;
  adapter.setHeader(response, 'Location', target);
  adapter.status(response, 308);
  return false;
}

export function setHeaders(adapter: HttpServer, response: unknown, headers: HeaderFields): void {
  for (const [name, value] of Object.entries(headers)) adapter.setHeader(response, name, value);
}

export function acceptedEncodings({ headers }: EdgeRequest): string | undefined {
  const accepted = headers['accept-encoding'];
  return Array.isArray(accepted) ? accepted.join(',') : accepted;
}

/** A name that changes with the content is kept for a year; any other is asked for each time. */
function cacheControl(isImmutable: boolean): string {
  return isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
}
