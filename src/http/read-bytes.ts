import type { IncomingMessage } from 'node:http';
import { BodyTooLargeError, InvalidRequestError } from '../errors/request-errors.js';

const NOTHING = Buffer.alloc(0);
/**
 * How much of a body that is too large is read and thrown away: a client that is still sending would see a
 * broken connection in place of the answer.
 */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** All bytes of a request. Rejects with a `BodyTooLargeError` beyond `maxBytes`. */
export function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> | Buffer {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  if (!hasBody || request.readableEnded) return NOTHING;
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks = [];
      if (size > maxBytes + MAX_DISCARDED_BYTES) reject(new BodyTooLargeError(maxBytes));
    });
    request.on('end', () => {
      if (size > maxBytes) reject(new BodyTooLargeError(maxBytes));
      else resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    });
    // Also emitted after `end`, where there is nothing left to reject.
    const onBroken = (): void => {
      if (!request.complete) reject(new InvalidRequestError('The connection closed within the body'));
    };
    request.on('error', onBroken);
    request.on('close', onBroken);
  });
}
