import type { IncomingHttpHeaders } from 'node:http';
import { InvalidRequestError, MethodNotAllowedError } from '../../errors/request-errors.js';
import { streamOf, type EdgeRequest } from '../edge-request.js';

const EVENT_STREAM = 'text/event-stream';
const LINES = 'application/x-ndjson';
const MAX_ID_CHARS = 256;

/** Whether the client names event streams, and names no other type that it prefers. `*` does not name one. */
export function wantsStream(request: { readonly headers: IncomingHttpHeaders }): boolean {
  return prefers(request, EVENT_STREAM);
}

function prefers({ headers }: { readonly headers: IncomingHttpHeaders }, wanted: string): boolean {
  const ranges = (headers.accept ?? '').split(',').map(rangeOf);
  const named = ranges.find(({ type }) => type === wanted);
  if (named === undefined || named.quality === 0) return false;
  return ranges.every(({ type, quality }) => type !== 'application/json' || quality <= named.quality);
}

/** As `wantsStream`, for lines of JSON. */
export function wantsLines(request: { readonly headers: IncomingHttpHeaders }): boolean {
  return prefers(request, LINES);
}

/** Throws if the request for a stream is a HEAD. */
export function refuseHead(request: EdgeRequest): void {
  const { method = 'GET' } = streamOf(request);
  // Nest handles a HEAD like a GET, and a stream would begin.
  if (method === 'HEAD') throw new MethodNotAllowedError(method, ['GET']);
}

/** The last event that the client saw; null: it does not say. Throws an `InvalidRequestError`. */
export function lastEventId({ headers }: EdgeRequest): string | null {
  const given = headers['last-event-id'];
  if (given === undefined || given === '') return null;
  if (typeof given === 'string' && given.length <= MAX_ID_CHARS) return given;
  throw new InvalidRequestError('Last-Event-ID is no id of this stream: leave it out to begin anew');
}

function rangeOf(text: string): { readonly type: string; readonly quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = given === undefined ? 1 : Number(given);
  return { type, quality: Number.isNaN(quality) ? 1 : quality };
}
