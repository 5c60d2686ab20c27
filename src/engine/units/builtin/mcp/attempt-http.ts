import type { IncomingHttpHeaders } from 'node:http';
import type { Agent } from 'undici';
import type { UnitAnswer } from '../../../ports/unit-executor.js';
import { failedAnswer } from '../../answer.js';
import { interpretResponse, type ResponseContext } from '../../http/interpret-response.js';
import { failureOf } from '../../http/transport/transport-failure.js';
import { GatheredText } from './incoming/gathered-text.js';
import { IncomingMessages, UnreadableAnswerError } from './incoming/incoming-messages.js';
import { plainBody } from './plain-body.js';
import { GATHERED_BYTES, ReceivedBytes, type ReceivedBytesOptions } from './received-bytes.js';

export interface AttemptHttpOptions extends Omit<ReceivedBytesOptions, 'maxBytes' | 'failed'> {
  readonly agent: Agent;
  readonly context: ResponseContext;
  /** Nothing more of the attempt can come to anything: it must end. */
  readonly hopeless: () => void;
}

const STREAM = 'text/event-stream';
const JSON_BODY = 'application/json';

/** How long a server may take to say that it has ended a session; it ends by itself there, sooner or later. */
export const LEAVE_WITHIN_MS = 1_000;

/**
 * The HTTP of one attempt to call a tool: what the client of MCP is given as its `fetch`.
 *
 * 1. Every connection is one of the agent: to an address that was checked.
 * 2. Redirects are not followed, neither by us nor by the client.
 * 3. What went wrong with the last request is kept as the answer that it would be for a remote unit: the client's own
 *    errors have lost it.
 * 4. Whatever a server sends is looked over before the client sees it (`IncomingMessages`).
 */
export class AttemptHttp {
  #failure: UnitAnswer | null = null;
  #isHopeless = false;
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

  /** What the last request failed of; null: it did not. */
  get failure(): UnitAnswer | null {
    return this.#failure;
  }

  readonly fetch = async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    const isLeaving = init.method === 'DELETE';
    // The client would listen to whatever a server has to say beside the call: nobody here hears it.
    if (init.method === 'GET' && !headers.has('last-event-id')) return new Response(null, { status: 405 });
    // What it went over may be closed by then, and with it the signal that the client gives.
    if (isLeaving) {
      const signal = AbortSignal.timeout(LEAVE_WITHIN_MS);
      return this.#send(address, { ...init, signal }, headers);
    }
    if (this.#isHopeless || this.#isOver) throw new Error('the attempt is over');
    this.#failure = null;
    const response = await this.#send(address, init, headers);
    return response.ok ? response : this.#refused(response);
  };

  /** From now on nothing begins but what ends a session. What is under way goes on. */
  beginNothing(): void {
    this.#isOver = true;
  }

  /** A response whose body is counted and looked over; all but a stream is there as a whole. */
  async #send(address: string | URL, init: RequestInit, headers: Headers): Promise<Response> {
    headers.set('accept-encoding', 'identity');
    const { origin, pathname, search } = new URL(address);
    try {
      // Not `fetch`, which leaves out ports that browsers do not call.
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
      // What is neither is read by nobody.
      if (type !== JSON_BODY) return new Response('', about);
      return new Response(await this.#orGiveUp(this.incoming.ofBody(text)), as(type, about));
    } catch (error) {
      if (!this.#isHopeless && init.method !== 'DELETE') await this.#fail(failureOf(error));
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

  /** A server that says too much will do so again. */
  #unreadable(error: unknown): void {
    if (!(error instanceof UnreadableAnswerError) || this.#isHopeless) return;
    this.#hopeless(
      failedAnswer(this.options.context.quote(error.message), { retryable: false, outcome: 'unknown' }),
    );
  }

  async #refused(response: Response): Promise<Response> {
    const { status, headers } = response;
    const body = await response.text();
    await this.#fail({ kind: 'response', status, headers: Object.fromEntries(headers), body });
    // The client follows redirects within an origin by itself.
    if (status >= 300 && status <= 399) throw new Error('redirects are not followed');
    const told = await this.incoming.ofRefusal(body).catch(() => '');
    return new Response(told, { status, headers });
  }

  async #fail(failure: Parameters<typeof interpretResponse>[0]): Promise<void> {
    this.#failure = await interpretResponse(failure, this.options.context);
  }

  #giveUp(failure: ReturnType<typeof failureOf>): void {
    const answer = interpretResponse(failure, this.options.context);
    if (!(answer instanceof Promise)) this.#hopeless(answer);
  }

  #hopeless(answer: UnitAnswer): void {
    this.#failure = answer;
    this.#isHopeless = true;
    this.options.hopeless();
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const text = new GatheredText();
  for await (const chunk of body) text.add(decoder.decode(chunk, { stream: true }));
  text.add(decoder.decode());
  return text.take();
}

/** Without parameters, in lower case. */
function mediaTypeOf(headers: Headers): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/** The client is told the type in one form only: it must not take for a stream what was not read as one. */
function as(
  type: string,
  { status, headers }: { readonly status: number; readonly headers: Headers },
): ResponseInit {
  headers.set('content-type', type);
  return { status, headers };
}

/** Those have no body, and `Response` takes none for them. */
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
