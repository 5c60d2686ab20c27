import { pipeline, type Readable, type Transform } from 'node:stream';
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
export function plainBody(body: Readable, encoding: string | null): Readable {
  // Whoever reads it is told by what they read; it may be let go of before that.
  body.on('error', () => undefined);
  const coding = encoding?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return body;
  const decompress = DECOMPRESS.get(coding);
  if (decompress === undefined) {
    body.destroy();
    throw new ContentEncodingError();
  }
  // What breaks it is told by the end of the stream.
  return pipeline(body, decompress(), () => undefined).on('error', () => undefined);
}
