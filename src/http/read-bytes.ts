import type { IncomingMessage } from 'node:http';
import { UploadsFullError } from '../errors/edge-errors.js';
import { BodyTooLargeError, InvalidRequestError } from '../errors/request-errors.js';
import { ByteCollector } from './uploads/byte-collector.js';
import type { Uploads } from './uploads/uploads.js';

const NOTHING = Buffer.alloc(0);
/**
 * How much of a body that is too large is read and thrown away: a client that is still sending would see a
 * broken connection in place of the answer.
 */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * All bytes of a request. Rejects with a `BodyTooLargeError` beyond `maxBytes`, and with an `UploadsFullError` when it
 * has to give way to others.
 */
export function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  uploads: Uploads,
): Promise<Buffer> | Buffer {
  if (!hasBody(request) || request.readableEnded) return NOTHING;
  return new Promise((resolve, reject) => {
    let collector: ByteCollector | null = new ByteCollector(announcedBytes(request));
    let size = 0;
    const letGo = (): void => {
      collector = null;
      upload.close();
    };
    const upload = uploads.open(() => {
      letGo();
      reject(new UploadsFullError());
    });
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes + MAX_DISCARDED_BYTES) reject(new BodyTooLargeError(maxBytes));
      if (collector === null) return;
      if (size > maxBytes) {
        letGo();
        return;
      }
      collector.add(chunk);
      upload.received(chunk.length, collector.heldBytes);
    });
    request.on('end', () => {
      // Null: it was too large, or has given way, which was said by then.
      if (collector === null) reject(new BodyTooLargeError(maxBytes));
      else resolve(collector.taken());
      letGo();
    });
    // Also emitted after `end`, where there is nothing left to reject.
    const onBroken = (): void => {
      letGo();
      if (!request.complete) reject(new InvalidRequestError('The connection closed within the body'));
    };
    request.on('error', onBroken);
    request.on('close', onBroken);
  });
}

function announcedBytes({ headers }: IncomingMessage): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}
