import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Logger, StreamableFile } from '@nestjs/common';
import { sayBrokenOff } from '../broken-answer.js';
import { jsonChunks } from './json-chunks.js';
import { isLongerThan } from './json-length.js';

/** An answer of about this many characters takes about a millisecond to be written in one piece. */
const MAX_SHORT_CHARS = 262_144;
/** How long an answer is worked on before others have their turn. */
const TURN_MS = 4;
/** How often the event loop comes round in between: what others ask for needs several rounds each. */
const LOOPS_FOR_OTHERS = 8;

/** Whether to write it in one piece would keep others waiting. */
export function isLong(answer: unknown): boolean {
  return isLongerThan(answer, MAX_SHORT_CHARS);
}

/**
 * The answer itself where it is short, as nearly all are. A long one is written in chunks: a chunk is made when the
 * client has taken those before it, and not at all once the client has gone; in between others have their turn
 * (decision 0032).
 */
export function inChunksIfLong<T extends object>(answer: T): T | StreamableFile {
  if (answer instanceof StreamableFile || !isLong(answer)) return answer;
  return streamed(inTurns(jsonChunks(answer)), 'application/json; charset=utf-8');
}

/** A text that is written no faster than it is taken. What goes wrong on the way breaks the connection off. */
export function streamed(chunks: AsyncIterable<string>, type: string): StreamableFile {
  const file = new StreamableFile(Readable.from(chunks, { objectMode: false }), { type });
  const say = (error: Error): void => sayBrokenOff(new Logger('Flowgate'), error);
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

/** The chunks; after some of them others have had their turn. */
export async function* inTurns(chunks: Iterable<string>): AsyncGenerator<string, void, undefined> {
  let turnEnd = performance.now() + TURN_MS;
  for (const chunk of chunks) {
    yield chunk;
    if (performance.now() < turnEnd) continue;
    for (let loop = 0; loop < LOOPS_FOR_OTHERS; loop++) await setImmediate();
    turnEnd = performance.now() + TURN_MS;
  }
}
