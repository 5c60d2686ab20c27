import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { StreamableFile } from '@nestjs/common';
import type { Arrival } from '../../http/arrival.js';
import { callerOf } from '../../http/caller.js';
import { streamOf, type EdgeRequest } from '../../http/edge-request.js';
import type { EdgeResponse } from '../../http/edge-response.js';
import { authInfoOf } from './keys.js';
import type { HttpExchange } from './http-exchange.js';

/** The headers that MCP knows: credentials are nothing that tools are to see. */
const OF_MCP = /^(?:accept|content-type|last-event-id|mcp-[\w-]+)$/;
/** Nest and Node say these. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set(['connection', 'content-length', 'content-type']);
const EVENT_STREAM = 'text/event-stream';
const JSON_TYPE = 'application/json; charset=utf-8';
/** A comment of server-sent events: with it the head of the answer goes out, before there is anything to say. */
const FIRST_BYTES = ': \n\n';
/** No part of it counts but its path, and that only in messages. */
const BASE = 'http://flowgate.invalid';

interface Arrived {
  readonly body: unknown;
  readonly person: Arrival['person'];
}

/** The request as the SDK takes it, and how to let go of its connection once it is answered whole. */
export interface WatchedExchange {
  readonly exchange: HttpExchange;
  /** Whatever becomes of the connection now, nothing hangs on the request any more. */
  release(): void;
}

/** The request is aborted once the client has gone. */
export function exchangeOf(
  request: EdgeRequest,
  response: EdgeResponse,
  { body, person }: Arrived,
): WatchedExchange {
  const gone = new AbortController();
  const written = response.raw ?? response;
  const abort = (): void => gone.abort();
  // It may have gone while its body was read, or while the host was asked who it is.
  if (written.destroyed) abort();
  else written.once('close', abort);
  const { method = 'POST' } = streamOf(request);
  const headers = headersFrom(request.headers);
  const caller = callerOf(request, person);
  return {
    exchange: {
      request: heeding(gone.signal, new Request(`${BASE}/mcp`, { method, headers })),
      response: written,
      body,
      authInfo: authInfoOf(person, caller),
      caller,
    },
    release: () => void written.off('close', abort),
  };
}

/** A Request that is given a signal makes another one that follows it, with what the collector has to do about that. */
function heeding(signal: AbortSignal, request: Request): Request {
  return Object.defineProperty(request, 'signal', { value: signal });
}

/** What of the answer's head is to be passed on. */
export function headersOf(answer: Response): readonly (readonly [string, string])[] {
  const passed = [...answer.headers].filter(([name]) => !NOT_PASSED_ON.has(name));
  return answer.body === null || isStream(answer) ? passed : [...passed, ['content-type', JSON_TYPE]];
}

/** What Nest sends of the answer; undefined: it has no body. */
export async function bodyOf(answer: Response): Promise<string | StreamableFile | undefined> {
  const { body } = answer;
  if (body === null) return undefined;
  if (!isStream(answer)) return answer.text();
  const stream = Readable.fromWeb(body as ReadableStream);
  stream.unshift(FIRST_BYTES);
  return new StreamableFile(stream, { type: EVENT_STREAM });
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith(EVENT_STREAM) === true;
}

function headersFrom(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && OF_MCP.test(name) ? [[name, value] as [string, string]] : [],
  );
}
