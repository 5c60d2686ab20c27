import type { ExecuteOptions } from '../../../ports/unit-executor.js';
import {
  SMALL_RESPONSE_BYTES,
  type LargeResponse,
  type LargeResponses,
} from '../../http/large-responses/large-responses.js';
import { arrivalYielder } from '../../http/yielders.js';
import { ResponseStalledError, ResponseTooLargeError } from '../../http/transport/response-collector.js';

/**
 * So much of a body is taken in before yielding to the event loop. In chunks of one byte that is 4 ms of undici's parser;
 * after the parser nothing can tell how many chunks there were.
 */
export const GATHERED_BYTES = 16 * 1024;

export interface ReceivedBytesOptions {
  readonly maxBytes: number;
  readonly largeResponses: LargeResponses;
  /** Keeps the share of a large response. Without `hold` the share ends with the attempt. */
  readonly holder: Pick<ExecuteOptions, 'hold'>;
  /** The attempt can no longer succeed. */
  readonly failed: (error: Error) => void;
}

/**
 * Counts what a server sends in one attempt, all its responses together.
 *
 * 1. It never accepts more than `maxBytes`, counted after content decoding.
 * 2. A large response arrives only as fast as the bound on all large responses of units allows (decision 0041).
 * 3. What has arrived is passed on at once. What arrives while the reader yields is buffered by the body, which stops its
 *    connection at `GATHERED_BYTES` if that is its high-water mark.
 */
export class ReceivedBytes {
  #size = 0;
  #share: LargeResponse | null = null;
  #isOver = false;
  /** Resolves when reading may continue; null: it is not paused. */
  #pause: { readonly over: Promise<void>; readonly end: () => void } | null = null;

  constructor(private readonly options: ReceivedBytesOptions) {}

  /** Whether processing the response should yield to the event loop. */
  get isLarge(): boolean {
    return this.#size > SMALL_RESPONSE_BYTES;
  }

  /** Yields the same body, counted, and paused where the bound requires it. */
  async *counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    let handedOn = 0;
    for await (const chunk of body) {
      await this.#take(chunk.length);
      yield chunk;
      handedOn += chunk.length;
      if (handedOn < GATHERED_BYTES) continue;
      handedOn = 0;
      await arrivalYielder.next();
    }
  }

  /** The response is complete. It keeps its share until its outcome is stored. */
  complete(): void {
    this.#share?.complete();
    if (this.options.holder.hold === undefined) this.#share?.release();
    this.#end();
  }

  /** There will be no response. */
  drop(): void {
    this.#share?.release();
    this.#end();
  }

  async #take(bytes: number): Promise<void> {
    this.#size += bytes;
    const { maxBytes } = this.options;
    if (this.#size > maxBytes) throw this.#fail(new ResponseTooLargeError());
    if (this.#size > SMALL_RESPONSE_BYTES && !this.#isOver) this.#holdShare(bytes);
    await this.#pause?.over;
  }

  #holdShare(added: number): void {
    if (this.#share !== null) return this.#share.grow(added);
    this.#share = this.options.largeResponses.enter({
      pause: () => {
        let end = (): void => undefined;
        const over = new Promise<void>((resolve) => {
          end = resolve;
        });
        this.#pause = { over, end };
      },
      resume: () => this.#resume(),
      giveWay: () => void this.#fail(new ResponseStalledError()),
    });
    this.options.holder.hold?.(this.#share);
    this.#share.grow(this.#size);
  }

  #fail(error: Error): Error {
    if (!this.#isOver) {
      this.drop();
      this.options.failed(error);
    }
    return error;
  }

  #end(): void {
    this.#isOver = true;
    this.#resume();
  }

  #resume(): void {
    this.#pause?.end();
    this.#pause = null;
  }
}
