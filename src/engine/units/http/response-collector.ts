import type { Dispatcher } from 'undici';
import { SMALL_ANSWER_BYTES, type LargeAnswer, type LargeAnswers } from './arrivals/large-answers.js';

/** What came back, undecoded. */
export interface CollectedResponse {
  readonly status: number;
  /** Lower-case names; a repeated header is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The answer is longer than the caller takes. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
}

/** It kept other large answers waiting, and brought nothing. */
export class AnswerStalledError extends Error {
  override readonly name = 'AnswerStalledError';
}

export interface CollectorOptions {
  readonly maxBytes: number;
  readonly largeAnswers: LargeAnswers;
  /** Told as soon as the response is large; its share is then to be ended. Null: it ends with the response. */
  readonly onLarge: ((share: LargeAnswer) => void) | null;
}

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Receives one response of undici.
 *
 * 1. It settles once: with the whole response, or with the first error, whichever comes first.
 * 2. It never holds more than `maxBytes` of a body; the connection of a longer one is closed at once.
 * 3. `abort` settles it at once, also while the request still waits for a connection; such a request is
 *    dropped when its turn comes, and nothing of it is sent.
 * 4. A large one comes as fast as all large ones together have room, and keeps its share when it is complete.
 */
export class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly response: Promise<CollectedResponse>;
  private readonly resolve: (response: CollectedResponse) => void;
  private readonly reject: (error: Error) => void;
  private controller: Dispatcher.DispatchController | null = null;
  private failure: Error | null = null;
  private status = 0;
  private headers: Readonly<Record<string, string>> = {};
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private share: LargeAnswer | null = null;

  constructor(private readonly options: CollectorOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<CollectedResponse>();
    this.response = promise;
    this.resolve = resolve;
    this.reject = reject;
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
    // A word on the way (102, 103); the response is still to come.
    if (status < 200) return;
    this.status = status;
    this.headers = joinHeaders(headers);
    // A header that claims too much saves reading up to the limit; one that lies is caught below.
    if (Number(this.headers['content-length']) > this.options.maxBytes) this.refuse();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.options.maxBytes) return this.refuse();
    this.chunks.push(chunk);
    if (this.size > SMALL_ANSWER_BYTES) this.holdShare(controller, chunk.length);
  }

  onResponseEnd(): void {
    const [first = Buffer.alloc(0), ...others] = this.chunks;
    const body = others.length === 0 ? first : Buffer.concat(this.chunks, this.size);
    this.chunks.length = 0;
    this.share?.complete();
    if (this.options.onLarge === null) this.share?.release();
    this.resolve({ status: this.status, headers: this.headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  private holdShare(controller: Dispatcher.DispatchController, added: number): void {
    if (this.share !== null) return this.share.grow(added);
    const { largeAnswers, onLarge } = this.options;
    this.share = largeAnswers.enter({
      pause: () => controller.pause(),
      // Another response may be in the parser right now, which can only do one thing at a time.
      resume: () => queueMicrotask(() => controller.resume()),
      giveWay: () => this.abort(new AnswerStalledError()),
    });
    onLarge?.(this.share);
    this.share.grow(this.size);
  }

  private fail(error: Error): void {
    this.chunks.length = 0;
    this.share?.release();
    this.reject(error);
  }

  private refuse(): void {
    this.abort(new ResponseTooLargeError());
  }
}

function joinHeaders(headers: RawHeaders): Readonly<Record<string, string>> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return joined;
}
