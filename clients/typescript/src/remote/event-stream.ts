import type { Watching } from '../backend.js';
import { sleep, within } from '../calls/deadline.js';
import { FlowgateUnreachableError } from '../errors/unreachable-error.js';
import { TooLong } from './answer-body.js';
import { chunksOf } from './answer-chunks.js';
import { FrameReader } from './event-frames.js';
import type { Exchange } from './exchange.js';
import { isRecord, jsonOf } from './refusal.js';
import { pauseMs, type Retries } from './retry.js';

/** What a frame says last. */
const END = 'end';
/** Its status where it is not over, but may no longer be told to whoever opened it. */
const UNAUTHORIZED = 'unauthorized';
const ACCEPT = 'text/event-stream';
/** Until the service says how long. */
const RETRY_MS = 2_000;

/** The service ended the stream, because what it was opened with is no longer good. */
class NoLongerGood extends Error {}

/** A frame that has an event. */
export interface Told {
  /** Of the last frame that had one. */
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

export interface EventStreamQuestion {
  readonly url: string;
  /** Of the last frame that is known, for services that take it up from there. */
  readonly lastEventId?: string | undefined;
}

/**
 * The frames of an event stream over as many connections as it takes: each begins after the last frame of the one before.
 * Ends with the frame `end`, or where the service has nothing more to deliver. One that ends because its token is no longer
 * good is taken up with another one. Throws what refuses it, also where there is no other token, and a
 * `FlowgateUnreachableError` once a lost connection was not there again in time.
 */
export async function* eventStream(
  exchange: Exchange,
  { url, lastEventId }: EventStreamQuestion,
  watching: Watching,
): AsyncGenerator<Told, undefined> {
  const line = new Line(exchange, watching);
  for (let response = await line.first({ url, lastEventId }); response.status !== 204;) {
    let cause: unknown = new Error('the stream was cut');
    try {
      const reader = new FrameReader({ onRetry: (ms) => line.retryAfter(ms) });
      for await (const chunk of chunksOf(response, watching)) {
        line.isThere();
        for (const { id = lastEventId, event, data } of reader.take(chunk)) {
          lastEventId = id;
          if (event === END) {
            if (!saysUnauthorized(data)) return undefined;
            throw new NoLongerGood();
          }
          if (data !== null) yield { id, event, data };
        }
        if (reader.pendingChars > exchange.maxPieceBytes) throw new TooLong();
      }
    } catch (error) {
      if (error instanceof TooLong) throw exchange.tooLong(response.status);
      if (error instanceof NoLongerGood) line.needsOtherToken();
      cause = error;
    }
    response = await line.again({ url, lastEventId }, cause);
  }
  return undefined;
}

/** The connections of one watch, of which one follows the other. */
class Line {
  readonly #exchange: Exchange;
  readonly #watching: Watching;
  #retryMs = RETRY_MS;
  /** When the connection was lost; null: it is there. */
  #lostAt: number | null = null;
  /** Since then. */
  #tries = 0;
  /** Of the token with which the connection was opened. */
  #edition = 0;

  constructor(exchange: Exchange, watching: Watching) {
    this.#exchange = exchange;
    this.#watching = watching;
  }

  retryAfter(ms: number): void {
    this.#retryMs = ms;
  }

  isThere(): void {
    this.#lostAt = null;
    this.#tries = 0;
  }

  /** As often as other calls are tried, and no longer than is said. */
  first(question: EventStreamQuestion): Promise<Response> {
    const { signal, timeoutMs } = this.#watching;
    const onTimeout = (): Error => this.#exchange.silence(timeoutMs, 'timeoutMs');
    return within({ signal, timeoutMs, onTimeout }, (inTime) => this.#open(question, inTime));
  }

  /** Throws where there is none. */
  needsOtherToken(): void {
    const { credentials } = this.#exchange;
    if (!credentials.isRenewable) throw this.#exchange.noLongerGood();
    credentials.refused(this.#edition);
  }

  /** As often as it takes, and no longer than is said. `cause`: why the one before is no more. */
  async again(question: EventStreamQuestion, cause: unknown): Promise<Response> {
    const { signal, timeoutMs } = this.#watching;
    signal.throwIfAborted();
    this.#lostAt ??= performance.now();
    const leftMs = timeoutMs - (performance.now() - this.#lostAt);
    const onTimeout = (): Error => this.#gone(cause);
    if (leftMs <= 0) throw onTimeout();
    return within({ signal, timeoutMs: leftMs, onTimeout }, async (inTime) => {
      await sleep(this.#pauseMs(), inTime);
      const retries = { ...this.#exchange.retries, count: Infinity };
      return this.#open(question, inTime, retries);
    });
  }

  async #open(question: EventStreamQuestion, signal: AbortSignal, retries?: Retries): Promise<Response> {
    const response = await this.#exchange.open({ ...question, accept: ACCEPT }, signal, retries);
    this.#edition = this.#exchange.credentials.edition;
    return response;
  }

  /** What the service asks for, or more, but never more than the caller's longest pause. */
  #pauseMs(): number {
    const { retries } = this.#exchange;
    const asked = Math.min(this.#retryMs, retries.maxMs) * (0.5 + Math.random() / 2);
    return Math.max(asked, pauseMs(retries, this.#tries++));
  }

  #gone(cause: unknown): FlowgateUnreachableError {
    const { message } = this.#exchange.broken(cause);
    const { timeoutMs } = this.#watching;
    return new FlowgateUnreachableError(`${message} It was not there again within ${timeoutMs} ms`, {
      code: 'TIMEOUT',
      cause,
    });
  }
}

function saysUnauthorized(data: string | null): boolean {
  const end = data === null ? undefined : jsonOf(data);
  return isRecord(end) && end['status'] === UNAUTHORIZED;
}
