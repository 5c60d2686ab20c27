import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { StreamableFile } from '@nestjs/common';
import type { RequestContext } from '../../../http/identity/request-context.js';
import { streamOf, type EdgeRequest } from '../../../http/edge-request.js';
import type { EdgeResponse } from '../../../http/edge-response.js';
import { authInfoOf } from '../keys.js';
import type { HttpExchange } from './http-exchange.js';

/** The headers of MCP; tools must not see others, such as credentials. */
const OF_MCP = /^(?:accept|content-type|last-event-id|mcp-[\w-]+)$/;
/** Headers that Nest and Node set themselves. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set(['connection', 'content-length', 'content-type']);
const EVENT_STREAM = 'text/event-stream';
const JSON_TYPE = 'application/json; charset=utf-8';
/** A comment of server-sent events, with which the head of the response goes out before the first message. */
const FIRST_BYTES = ': \n\n';
/** Only the path counts, and only in messages. */
const BASE = 'http://flowgate.invalid';

interface ReceivedRequest {
  readonly body: unknown;
  readonly context: RequestContext;
}

/** The request as the SDK takes it, and how to detach it from its connection once the response is complete. */
export interface WatchedExchange {
  readonly exchange: HttpExchange;
  /** From then on the end of the connection no longer aborts the request. */
  release(): void;
}

/** The request is aborted once the client has disconnected. */
export function exchangeOf(
  request: EdgeRequest,
  response: EdgeResponse,
  { body, context }: ReceivedRequest,
): WatchedExchange {
  const gone = new AbortController();
  const written = response.raw ?? response;
  const abort = (): void => gone.abort();
  // The client may have disconnected while the body was read, or while the host was asked for the principal.
  if (written.destroyed) abort();
  else written.once('close', abort);
  const { method = 'POST' } = streamOf(request);
  const headers = headersFrom(request.headers);
  return {
    exchange: {
      request: heeding(gone.signal, new Request(`${BASE}/mcp`, { method, headers })),
      response: written,
      body,
      authInfo: authInfoOf(context),
      context,
    },
    release: () => void written.off('close', abort),
  };
}

/** A Request that is constructed with a signal makes a dependent signal, which costs the garbage collector work. */
function heeding(signal: AbortSignal, request: Request): Request {
  return Object.defineProperty(request, 'signal', { value: signal });
}

/** The headers of the response that are passed on. */
export function headersOf(response: Response): readonly (readonly [string, string])[] {
  const passed = [...response.headers].filter(([name]) => !NOT_PASSED_ON.has(name));
  return response.body === null || isStream(response) ? passed : [...passed, ['content-type', JSON_TYPE]];
}

/** The body that Nest sends; undefined: there is none. `dismissed`: a stream ends by then, between two messages. */
export async function bodyOf(
  response: Response,
  dismissed: AbortSignal | null,
): Promise<string | StreamableFile | undefined> {
  const { body } = response;
  if (body === null) return undefined;
  if (!isStream(response)) return response.text();
  const messages = body as ReadableStream<Uint8Array>;
  const stream = Readable.fromWeb(dismissed === null ? messages : until(dismissed, messages));
  stream.unshift(FIRST_BYTES);
  return new StreamableFile(stream, { type: EVENT_STREAM });
}

/** Each chunk of the SDK is one message. */
function until(dismissed: AbortSignal, messages: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = messages.getReader();
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (): void => {
        if (!isOver) controller.close();
        isOver = true;
        void reader.cancel();
      };
      dismissed.addEventListener('abort', end, { once: true });
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (isOver) return;
      if (!done) return controller.enqueue(value);
      isOver = true;
      controller.close();
    },
    cancel(reason) {
      isOver = true;
      return reader.cancel(reason);
    },
  });
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith(EVENT_STREAM) === true;
}

function headersFrom(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && OF_MCP.test(name) ? [[name, value] as [string, string]] : [],
  );
}
