import type { Dispatcher } from 'undici';
import type { ExecuteOptions } from '../../../ports/unit-executor.js';
import {
  SMALL_RESPONSE_BYTES,
  type LargeResponse,
  type LargeResponses,
} from '../large-responses/large-responses.js';

/** What came back, undecoded. */
export interface CollectedResponse {
  readonly status: number;
  /** Lower-case names; a repeated header is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The caller: exactly one of `received` and `failed` is called, once. */
export interface ResponseTaker {
  received(response: CollectedResponse): void;
  failed(error: Error): void;
  /** Receives the share of a large response as soon as it is large. Without `hold` the share ends with the response. */
  readonly holder: Pick<ExecuteOptions, 'hold'> | undefined;
}

/** The response is longer than the caller accepts. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
}

/** The response kept other large ones waiting without progress. */
export class ResponseStalledError extends Error {
  override readonly name = 'ResponseStalledError';
}

type RawHeaders = Record<string, string | string[] | undefined>;

/**
 * Receives one response of undici.
 *
 * 1. It settles once: with the whole response, or with the first error, whichever comes first. It is in `underWay` until
 *    then.
 * 2. It never holds more than `maxBytes` of a body; the connection of a longer one is closed at once.
 * 3. `abort` settles it at once, also while the request still waits for a connection; such a request is dropped when it
 *    would get one, and nothing of it is sent.
 * 4. A large response arrives as fast as the bound on all large ones allows, and keeps its share when it is complete.
 */
export class ResponseCollector implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private failure: Error | null = null;
  private isSettled = false;
  private status = 0;
  private headers: Readonly<Record<string, string>> = {};
  private first: Buffer | null = null;
  private others: Buffer[] | null = null;
  private size = 0;
  private share: LargeResponse | null = null;

  constructor(
    private readonly maxBytes: number,
    private readonly taker: ResponseTaker,
    private readonly largeResponses: LargeResponses,
    private readonly underWay: Set<ResponseCollector>,
  ) {
    underWay.add(this);
  }

  get isAborted(): boolean {
    return this.failure !== null;
  }

  abort(error: Error): void {
    if (this.failure !== null) return;
    this.failure = error;
    this.fail(error);
    this.controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure !== null) controller.abort(this.failure);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: RawHeaders): void {
    // An interim response (102, 103); the final one is still to come.
    if (status < 200) return;
    this.status = status;
    this.headers = joinHeaders(headers);
    // A header that claims too much saves reading up to the limit; one that lies is caught below.
    if (Number(this.headers['content-length']) > this.maxBytes) this.refuse();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.maxBytes) return this.refuse();
    if (this.first === null) this.first = chunk;
    else (this.others ??= [this.first]).push(chunk);
    if (this.size > SMALL_RESPONSE_BYTES) this.holdShare(controller, chunk.length);
  }

  onResponseEnd(): void {
    const { status, headers } = this;
    const body =
      this.others === null ? (this.first ?? Buffer.alloc(0)) : Buffer.concat(this.others, this.size);
    this.share?.complete();
    if (this.taker.holder?.hold === undefined) this.share?.release();
    if (this.settle()) this.taker.received({ status, headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  private holdShare(controller: Dispatcher.DispatchController, added: number): void {
    if (this.share !== null) return this.share.grow(added);
    this.share = this.largeResponses.enter({
      pause: () => controller.pause(),
      // Another response may be in the parser right now, which can only do one thing at a time.
      resume: () => queueMicrotask(() => controller.resume()),
      giveWay: () => this.abort(new ResponseStalledError()),
    });
    this.taker.holder?.hold?.(this.share);
    this.share.grow(this.size);
  }

  private fail(error: Error): void {
    this.share?.release();
    if (this.settle()) this.taker.failed(error);
  }

  /** False when it had settled before. */
  private settle(): boolean {
    this.first = null;
    this.others = null;
    if (this.isSettled) return false;
    this.isSettled = true;
    this.underWay.delete(this);
    return true;
  }

  private refuse(): void {
    this.abort(new ResponseTooLargeError());
  }
}

/** In place: undici made the object for this response alone. */
function joinHeaders(headers: RawHeaders): Readonly<Record<string, string>> {
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string') headers[name] = value?.join(', ') ?? '';
  }
  return headers as Readonly<Record<string, string>>;
}
