import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from '../bodies/read-bytes.js';
import { SMALL_BODY_BYTES } from '../bodies/uploads.js';

/** The time for a client that is still sending to notice the response, which closing the connection at once would hide. */
const LINGER_MS = 2_000;
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;

/** Whether more of the body may come than keeping the connection is worth. */
export function isStillSending(request: IncomingMessage): boolean {
  if (request.complete || request.destroyed || !hasBody(request)) return false;
  const length = request.headers['content-length'];
  return length === undefined || Number(length) > SMALL_BODY_BYTES;
}

/**
 * Responds to a request whose body will not be read: the response goes out at once, the rest of the body is discarded
 * for a moment, and the connection ends. Status and headers are set; `text` has the length that they announce.
 */
export function respondEarly(
  request: IncomingMessage,
  response: ServerResponse,
  text: string | Uint8Array,
): void {
  response.setHeader('Connection', 'close');
  response.write(text);
  let left = MAX_DISCARDED_BYTES;
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  });
  request.on('end', end);
  request.on('close', end);
  request.on('error', end);
  request.resume();
}
