import type { IncomingMessage } from 'node:http';

/**
 * A property by which the parsers of Express and its hosts take a body for one that has been read (`on-finished`
 * looks for it; a response has it, a request does not). They pass the request on without reading it.
 */
const FINISHED = 'finished';

export function markAsTaken(request: IncomingMessage): void {
  Object.defineProperty(request, FINISHED, { value: true, configurable: true, enumerable: false });
}

/** Restores the request to what Node made, before the body is read. */
export function unmark(request: IncomingMessage): void {
  if (Object.hasOwn(request, FINISHED)) delete (request as { [FINISHED]?: unknown })[FINISHED];
}
