import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Agent } from 'undici';
import type { UnitOutcome } from '../../../ports/unit-executor.js';
import { ContentEncodingError } from '../../http/transport/response-text.js';
import { failedOutcome } from '../../outcome.js';
import { interpretResponse, type ResponseContext } from '../../http/interpret-response.js';
import { failureOf } from '../../http/transport/transport-failure.js';
import { GatheredText } from './incoming/gathered-text.js';
import { IncomingMessages, UnreadableResponseError } from './incoming/incoming-messages.js';
import { GATHERED_BYTES, ReceivedBytes, type ReceivedBytesOptions } from './received-bytes.js';

const DECOMPRESS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

export interface AttemptHttpOptions extends Omit<ReceivedBytesOptions, 'maxBytes' | 'failed'> {
  readonly agent: Agent;
  readonly context: ResponseContext;
  /** The attempt can no longer succeed: it must end. */
  readonly abandon: () => void;
}

const STREAM = 'text/event-stream';
const JSON_BODY = 'application/json';

/** How long a server may take to confirm the end of a session; without that it expires there on its own, sooner or later. */
export const LEAVE_WITHIN_MS = 1_000;

/**
 * The HTTP of one attempt to call a tool: the `fetch` that the MCP client is given.
 *
 * 1. Every connection comes from the agent, so its address was checked.
 * 2. Redirects are followed neither by us nor by the client.
 * 3. The failure of the last request is kept as the outcome that it would be for a remote unit: the client's own errors lose
 *    it.
 * 4. Whatever a server sends is checked before the client sees it (`IncomingMessages`).
 */
export class AttemptHttp {
  #failure: UnitOutcome | null = null;
  #isAbandoned = false;
  #isOver = false;
  readonly received: ReceivedBytes;
  readonly incoming = new IncomingMessages();

  constructor(private readonly options: AttemptHttpOptions) {
    this.received = new ReceivedBytes({
      ...options,
      maxBytes: options.context.maxResponseBytes,
      failed: (error) => {
        this.#giveUp(failureOf(error));
      },
    });
  }

  /** Why the last request failed; null: it did not. */
  get failure(): UnitOutcome | null {
    return this.#failure;
  }

  readonly fetch = async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    const isLeaving = init.method === 'DELETE';
    // The client would open a stream for what a server sends outside the call: nothing here uses that.
    if (init.method === 'GET' && !headers.has('last-event-id')) return new Response(null, { status: 405 });
    // The transport may be closed by then, and the client's signal aborted with it.
    if (isLeaving) {
      const signal = AbortSignal.timeout(LEAVE_WITHIN_MS);
      return this.#send(address, { ...init, signal }, headers);
    }
    if (this.#isAbandoned || this.#isOver) throw new Error('the attempt is over');
    this.#failure = null;
    const response = await this.#send(address, init, headers);
    return response.ok ? response : this.#refused(response);
  };

  /** From now on only the request that ends a session may begin. Requests under way continue. */
  beginNothing(): void {
    this.#isOver = true;
  }

  /** Returns a response whose body is counted and checked; any body but a stream is read completely first. */
  async #send(address: string | URL, init: RequestInit, headers: Headers): Promise<Response> {
    headers.set('accept-encoding', 'identity');
    const { origin, pathname, search } = new URL(address);
    try {
      // Not `fetch`, which refuses ports that browsers do not call.
      const raw = await this.options.agent.request({
        origin,
        path: `${pathname}${search}`,
        highWaterMark: GATHERED_BYTES,
        method: init.method === 'DELETE' || init.method === 'GET' ? init.method : 'POST',
        headers: Object.fromEntries(headers),
        body: typeof init.body === 'string' ? init.body : null,
        ...(init.signal instanceof AbortSignal ? { signal: init.signal } : {}),
      });
      const about = { status: raw.statusCode, headers: headersOf(raw.headers) };
      const body = plainBody(raw.body, about.headers.get('content-encoding'));
      if (isEmptyStatus(about.status)) {
        body.destroy();
        return new Response(null, about);
      }
      const counted = this.received.counted(body);
      const isOk = about.status >= 200 && about.status <= 299;
      const type = mediaTypeOf(about.headers);
      if (isOk && type === STREAM)
        return new Response(ReadableStream.from(this.#lookedOver(counted)), as(type, about));
      const text = await textOf(counted);
      if (!isOk) return new Response(text, about);
      // The client has no use for a body that is neither JSON nor a stream.
      if (type !== JSON_BODY) return new Response('', about);
      return new Response(await this.#orGiveUp(this.incoming.ofBody(text)), as(type, about));
    } catch (error) {
      if (!this.#isAbandoned && init.method !== 'DELETE') await this.#fail(failureOf(error));
      throw error;
    }
  }

  async *#lookedOver(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const events = this.incoming.ofStream(body);
    try {
      yield* events;
    } catch (error) {
      this.#unreadable(error);
      throw error;
    }
  }

  async #orGiveUp<Read>(reading: Promise<Read>): Promise<Read> {
    try {
      return await reading;
    } catch (error) {
      this.#unreadable(error);
      throw error;
    }
  }

  /** A server that sends too much would do so again, so the attempt ends. */
  #unreadable(error: unknown): void {
    if (!(error instanceof UnreadableResponseError) || this.#isAbandoned) return;
    this.#abandon(
      failedOutcome(this.options.context.quote(error.message), { retryable: false, outcome: 'unknown' }),
    );
  }

  async #refused(response: Response): Promise<Response> {
    const { status, headers } = response;
    const body = await response.text();
    await this.#fail({ kind: 'response', status, headers: Object.fromEntries(headers), body });
    // The client follows redirects within an origin by itself.
    if (status >= 300 && status <= 399) throw new Error('redirects are not followed');
    const forwarded = await this.incoming.ofRefusal(body).catch(() => '');
    return new Response(forwarded, { status, headers });
  }

  async #fail(failure: Parameters<typeof interpretResponse>[0]): Promise<void> {
    this.#failure = await interpretResponse(failure, this.options.context);
  }

  #giveUp(failure: ReturnType<typeof failureOf>): void {
    const outcome = interpretResponse(failure, this.options.context);
    if (!(outcome instanceof Promise)) this.#abandon(outcome);
  }

  #abandon(outcome: UnitOutcome): void {
    this.#failure = outcome;
    this.#isAbandoned = true;
    this.options.abandon();
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const text = new GatheredText();
  for await (const chunk of body) text.add(decoder.decode(chunk, { stream: true }));
  text.add(decoder.decode());
  return text.take();
}

/** The media type without parameters, in lower case. */
function mediaTypeOf(headers: Headers): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/** The client gets the type in one form only: it must not take for a stream what was not read as one. */
function as(
  type: string,
  { status, headers }: { readonly status: number; readonly headers: Headers },
): ResponseInit {
  headers.set('content-type', type);
  return { status, headers };
}

/** Responses of these statuses have no body, and `Response` accepts none for them. */
function isEmptyStatus(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

function headersOf(raw: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(raw)) {
    for (const one of [value].flat()) headers.append(name, one);
  }
  return headers;
}

/**
 * Returns a body without its content coding. We ask for none; a body that has one all the same is decoded. Throws a
 * `ContentEncodingError` for an unknown one.
 */
function plainBody(body: Readable, encoding: string | null): Readable {
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
