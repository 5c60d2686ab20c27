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
 * Returns a body without its content coding. We ask for none; a body that has one all the same is decoded. Throws a
 * `ContentEncodingError` for an unknown one.
 */
export function plainBody(body: Readable, encoding: string | null): Readable {
  // The reader sees the error in what it reads; the body may be dropped before anything reads it.
  body.on('error', () => undefined);
  const coding = encoding?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return body;
  const decompress = DECOMPRESS.get(coding);
  if (decompress === undefined) {
    body.destroy();
    throw new ContentEncodingError();
  }
  // An error of the pipeline shows at the end of the stream.
  return pipeline(body, decompress(), () => undefined).on('error', () => undefined);
}
