import type { Dispatcher } from 'undici';

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

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Receives one response of undici.
 *
 * 1. It settles once: with the whole response, or with the first error, whichever comes first.
 * 2. It never holds more than `maxBytes` of a body; the connection of a longer one is closed at once.
 * 3. `abort` settles it at once, also while the request still waits for a connection; such a request is
 *    dropped when its turn comes, and nothing of it is sent.
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

  constructor(private readonly maxBytes: number) {
    const { promise, resolve, reject } = Promise.withResolvers<CollectedResponse>();
    this.response = promise;
    this.resolve = resolve;
    this.reject = reject;
  }

  abort(error: Error): void {
    if (this.failure !== null) return;
    this.failure = error;
    this.reject(error);
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
    if (Number(this.headers['content-length']) > this.maxBytes) this.refuse();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.maxBytes) this.refuse();
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first = Buffer.alloc(0), ...others] = this.chunks;
    const body = others.length === 0 ? first : Buffer.concat(this.chunks, this.size);
    this.resolve({ status: this.status, headers: this.headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
  }

  private refuse(): void {
    this.chunks.length = 0;
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
