import { pipeline, Readable, type Transform } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ContentEncodingError } from '../../http/transport/response-text.js';

const DECOMPRESS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * A body without its content coding. We ask for none; a server that has one all the same is read. Throws a
 * `ContentEncodingError` for one that nobody here knows.
 */
export function plainBody(body: Readable, encoding: string | null): ReadableStream<Uint8Array> {
  const coding = encoding?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return asWeb(body);
  const decompress = DECOMPRESS.get(coding);
  if (decompress === undefined) {
    body.destroy();
    throw new ContentEncodingError();
  }
  // What breaks it is told by the end of the stream.
  return asWeb(pipeline(body, decompress(), () => undefined));
}

function asWeb(body: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(body) as NodeStream<Uint8Array> as unknown as ReadableStream<Uint8Array>;
}
