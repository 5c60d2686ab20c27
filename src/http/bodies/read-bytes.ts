import type { IncomingMessage } from 'node:http';
import { UploadsFullError } from '../../errors/edge-errors.js';
import { BodyTooLargeError, InvalidRequestError } from '../../errors/request-errors.js';
import { sharerOf } from '../identity/authenticated.js';
import { ByteCollector } from './byte-collector.js';
import { SMALL_BODY_BYTES, type Upload, type Uploads } from './uploads.js';

const NOTHING = Buffer.alloc(0);
/**
 * How much of a body that is too large is read and discarded; otherwise a client that is still sending would see a
 * broken connection instead of the response.
 */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** A body that comes in several pieces. */
interface Gathered {
  readonly bytes: ByteCollector;
  readonly upload: Upload;
}

/** With HTTP/2, which a host may use, a body of unknown length has no header. */
export function hasBody({ headers, httpVersionMajor }: IncomingMessage): boolean {
  const length = headers['content-length'];
  if (length !== undefined) return length !== '0';
  return headers['transfer-encoding'] !== undefined || httpVersionMajor >= 2;
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
  const announced = announcedBytes(request);
  const arrived = announced === null || announced > maxBytes ? null : arrivedBody(request, announced);
  if (arrived !== null) return arrived;
  return new Promise((resolve, reject) => {
    let size = 0;
    /** The body, if it came in one piece, as almost all do; there is nothing to bound then. */
    let whole: Buffer | null = null;
    let gathered: Gathered | null = null;
    let hasReleased = false;
    const release = (): void => {
      hasReleased = true;
      gathered?.upload.close();
      gathered = null;
    };
    const giveWay = (): void => {
      release();
      reject(new UploadsFullError());
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) release();
      if (size > maxBytes + MAX_DISCARDED_BYTES) reject(new BodyTooLargeError(maxBytes));
      if (size > SMALL_BODY_BYTES) {
        request.pause();
        void uploads.yielder.next().then(() => request.resume());
      }
      if (hasReleased) return;
      if (chunk.length === announced) {
        whole = chunk;
        return;
      }
      gathered ??= {
        bytes: new ByteCollector(announced),
        upload: uploads.open(giveWay, sharerOf(request) ?? undefined),
      };
      const { bytes, upload } = gathered;
      bytes.add(chunk);
      upload.received(chunk.length, bytes.heldBytes);
    });
    request.on('end', () => {
      // The body was too large, or has given way; the latter has been rejected by now.
      if (hasReleased) reject(new BodyTooLargeError(maxBytes));
      else resolve(whole ?? gathered?.bytes.taken() ?? NOTHING);
      release();
    });
    // Also emitted after `end`, where there is nothing left to reject.
    const onBroken = (): void => {
      release();
      if (!request.complete) reject(new InvalidRequestError('The connection closed within the body'));
    };
    request.on('error', onBroken);
    request.on('close', onBroken);
  });
}

/** The body, if all of it is in the stream's buffer; there is nothing to wait for or to bound then. */
function arrivedBody(request: IncomingMessage, announced: number): Buffer | null {
  if (announced > SMALL_BODY_BYTES || request.readableLength !== announced || request.destroyed) return null;
  // The host has set an encoding, so the stream yields strings.
  if (request.readableEncoding !== null) return null;
  const bytes = request.read() as Buffer;
  // Only the stream's end is left.
  request.resume();
  return bytes;
}

function announcedBytes({ headers }: IncomingMessage): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}
