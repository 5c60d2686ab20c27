import type { IncomingMessage } from 'node:http';

/**
 * By this the parsers that Express and its hosts use take a body for one that has been read (`on-finished` asks for it;
 * a response has it, a request does not). They pass it on, unread.
 */
const FINISHED = 'finished';

export function markAsTaken(request: IncomingMessage): void {
  Object.defineProperty(request, FINISHED, { value: true, configurable: true, enumerable: false });
}

/** Before the body is read: from here on the request is what Node made it. */
export function unmark(request: IncomingMessage): void {
  if (Object.hasOwn(request, FINISHED)) delete (request as { [FINISHED]?: unknown })[FINISHED];
}
