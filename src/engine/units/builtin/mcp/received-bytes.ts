import type { ExecuteOptions } from '../../../ports/unit-executor.js';
import {
  SMALL_ANSWER_BYTES,
  type LargeAnswer,
  type LargeAnswers,
} from '../../http/arrivals/large-answers.js';
import { yieldOneRound } from '../../http/yield-to-others.js';
import { AnswerStalledError, ResponseTooLargeError } from '../../http/transport/response-collector.js';

/**
 * So much of a body is taken in before others have their turn. In chunks of one byte that is 4 ms of undici's parser; how many
 * chunks there were can be seen by nobody behind it.
 */
export const GATHERED_BYTES = 16 * 1024;

export interface ReceivedBytesOptions {
  readonly maxBytes: number;
  readonly largeAnswers: LargeAnswers;
  /** Takes the share of a large answer along. Without `hold` it ends with the attempt. */
  readonly holder: Pick<ExecuteOptions, 'hold'>;
  /** Nothing more of the attempt can come to anything. */
  readonly failed: (error: Error) => void;
}

/**
 * What a server has sent in one attempt, all its responses together.
 *
 * 1. Never more than `maxBytes`, as they are after their content coding.
 * 2. When it is large it comes as fast as all large answers of units together have room (decision 0041).
 * 3. What has come is handed on at once. What comes while others have their turn is gathered by the body, which stops its
 *    connection at `GATHERED_BYTES` when it is made with that as its high-water mark.
 */
export class ReceivedBytes {
  #size = 0;
  #share: LargeAnswer | null = null;
  #isOver = false;
  /** Resolves when what waits may go on; null: nothing waits. */
  #pause: { readonly over: Promise<void>; readonly end: () => void } | null = null;

  constructor(private readonly options: ReceivedBytesOptions) {}

  /** Whether what follows from it is to be made in turns. */
  get isLarge(): boolean {
    return this.#size > SMALL_ANSWER_BYTES;
  }

  /** The same body, counted and held back. */
  async *counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    let handedOn = 0;
    for await (const chunk of body) {
      await this.#take(chunk.length);
      yield chunk;
      handedOn += chunk.length;
      if (handedOn < GATHERED_BYTES) continue;
      handedOn = 0;
      await yieldOneRound();
    }
  }

  /** The answer is here. It keeps its share until what followed from it is stored. */
  complete(): void {
    this.#share?.complete();
    if (this.options.holder.hold === undefined) this.#share?.release();
    this.#end();
  }

  /** There is no answer. */
  drop(): void {
    this.#share?.release();
    this.#end();
  }

  async #take(bytes: number): Promise<void> {
    this.#size += bytes;
    const { maxBytes } = this.options;
    if (this.#size > maxBytes) throw this.#fail(new ResponseTooLargeError());
    if (this.#size > SMALL_ANSWER_BYTES && !this.#isOver) this.#holdShare(bytes);
    await this.#pause?.over;
  }

  #holdShare(added: number): void {
    if (this.#share !== null) return this.#share.grow(added);
    this.#share = this.options.largeAnswers.enter({
      pause: () => {
        let end = (): void => undefined;
        const over = new Promise<void>((resolve) => {
          end = resolve;
        });
        this.#pause = { over, end };
      },
      resume: () => this.#resume(),
      giveWay: () => void this.#fail(new AnswerStalledError()),
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
