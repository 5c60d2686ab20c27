import { Readable } from 'node:stream';
import { Logger, StreamableFile } from '@nestjs/common';
import { Slice } from '../../engine/scheduling/slice.js';
import { logBrokenResponse } from '../refusals/broken-response.js';
import { jsonChunks } from './json-chunks.js';
import { isLongerThan } from './json-length.js';

/** Writing a response of about this many characters in one piece takes about a millisecond. */
const MAX_SHORT_CHARS = 262_144;

/** Whether writing it in one piece would delay other requests. */
export function isLong(response: unknown): boolean {
  return isLongerThan(response, MAX_SHORT_CHARS);
}

/**
 * A short response is returned as it is, as nearly all are. A long one is written in chunks: a chunk is made when the
 * client has taken those before it, and not at all once the client has gone; in between it yields to the event loop
 * (decision 0032).
 */
export function inChunksIfLong<T extends object>(response: T): T | StreamableFile {
  if (response instanceof StreamableFile || !isLong(response)) return response;
  return streamed(inSlices(jsonChunks(response)), 'application/json; charset=utf-8');
}

/** A text that is written no faster than it is taken. An error closes the connection. */
export function streamed(chunks: AsyncIterable<string>, type: string): StreamableFile {
  const file = new StreamableFile(Readable.from(chunks, { objectMode: false }), { type });
  const say = (error: Error): void => logBrokenResponse(new Logger('Flowgate'), error);
  file.setErrorHandler((error, response) => {
    say(error);
    if (response.headersSent) response.destroy?.();
    else {
      response.statusCode = 500;
      response.end();
    }
  });
  return file.setErrorLogger(say);
}

/** The chunks, or other pieces of long work, with pauses in which the event loop serves others. */
export async function* inSlices<Piece>(pieces: Iterable<Piece>): AsyncGenerator<Piece, void, undefined> {
  const slice = new Slice();
  for (const piece of pieces) {
    yield piece;
    if (slice.isOver) await slice.next();
  }
}
