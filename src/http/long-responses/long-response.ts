import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Logger, StreamableFile } from '@nestjs/common';
import { logBrokenResponse } from '../broken-response.js';
import { jsonChunks } from './json-chunks.js';
import { isLongerThan } from './json-length.js';

/** Writing a response of about this many characters in one piece takes about a millisecond. */
const MAX_SHORT_CHARS = 262_144;
/** How long a response is worked on before it yields to the event loop. */
const SLICE_MS = 4;
/** How many rounds of the event loop it then waits: other requests need several rounds each. */
const LOOPS_FOR_OTHERS = 8;

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
  return streamed(inTurns(jsonChunks(response)), 'application/json; charset=utf-8');
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

/** The chunks, with pauses in which the event loop serves others. */
export async function* inTurns(chunks: Iterable<string>): AsyncGenerator<string, void, undefined> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (const chunk of chunks) {
    yield chunk;
    if (performance.now() < sliceEnd) continue;
    for (let loop = 0; loop < LOOPS_FOR_OTHERS; loop++) await setImmediate();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
