import type { EdgeResponse } from './edge-response.js';

/** Aborted once the client has disconnected before the whole response was written. */
export function disconnectionOf(response: EdgeResponse): AbortSignal {
  const gone = new AbortController();
  const written = response.raw ?? response;
  const abortUnlessDone = (): void => {
    if (!written.writableFinished) gone.abort();
  };
  if (written.destroyed) abortUnlessDone();
  else written.once('close', abortUnlessDone);
  return gone.signal;
}
