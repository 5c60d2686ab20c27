import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from './read-bytes.js';
import { SMALL_BODY_BYTES } from './uploads/uploads.js';

/** What a client that is still sending gets to notice the answer; a connection closed at once would hide it. */
const LINGER_MS = 2_000;
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;

/** Whether more of the body may come than the connection is worth. */
export function isStillSending(request: IncomingMessage): boolean {
  if (request.complete || request.destroyed || !hasBody(request)) return false;
  const length = request.headers['content-length'];
  return length === undefined || Number(length) > SMALL_BODY_BYTES;
}

/**
 * Answers a request whose body is not going to be read: the answer goes out at once, what still comes is thrown away
 * for a moment, and the connection ends. Status and headers are set; `text` has the length that they announce.
 */
export function answerEarly(
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
