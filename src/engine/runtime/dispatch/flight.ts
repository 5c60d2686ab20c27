import type { CancelTimer, Clock } from '../../ports/clock.js';
import type {
  AnswerShare,
  ExecuteOptions,
  UnitAnswer,
  UnitExecutor,
  UnitRequest,
} from '../../ports/unit-executor.js';

/** One attempt under way: it ends with an answer, with its time-out, or by being aborted (then it never answers). */
export class Flight implements ExecuteOptions {
  #controller: AbortController | undefined;
  #onAbort: (() => void) | undefined;
  #cancelTimer: CancelTimer | undefined;
  #isOver = false;
  #isDropped = false;
  #share: AnswerShare | undefined;

  constructor(
    readonly idempotencyKey: string,
    readonly attempt: number,
  ) {}

  /** Made only for units that look at it: a controller costs more than a small in-process unit. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort();
    return this.#controller.signal;
  }

  onAbort(listener: () => void): void {
    if (this.#isOver) return told(listener);
    const others = this.#onAbort;
    this.#onAbort = others === undefined ? listener : () => [others, listener].forEach(told);
  }

  start(
    executor: UnitExecutor,
    request: UnitRequest,
    timing: { readonly clock: Clock; readonly timeoutMs: number },
    onAnswer: (answer: UnitAnswer) => void,
  ): void {
    if (this.#isOver) return;
    const { clock, timeoutMs } = timing;
    this.#cancelTimer = clock.schedule(clock.now() + timeoutMs, () => {
      if (!this.#end()) return;
      this.#stop();
      this.release();
      onAnswer(failed(`timed out after ${timeoutMs} ms`));
    });
    const finish = (answer: UnitAnswer): void => {
      if (!this.#end()) return;
      this.#onAbort = undefined;
      onAnswer(answer);
    };
    // An executor must not reject or throw. One that does all the same costs its unit an attempt, and nobody else anything.
    try {
      void executor.execute(request, this).then(finish, () => finish(failed(BROKEN_EXECUTOR)));
    } catch {
      finish(failed(BROKEN_EXECUTOR));
    }
  }

  abort(): void {
    if (this.#end()) this.#stop();
    this.release();
  }

  /** Of an executor whose answers share a bound: kept until `release`. */
  hold(share: AnswerShare): void {
    this.#share?.release();
    this.#share = share;
    if (this.#isDropped) share.release();
  }

  /** What followed from its answer is stored, or there is none that counts. */
  release(): void {
    this.#isDropped = true;
    this.#share?.release();
    this.#share = undefined;
  }

  /** Tells the unit that nobody waits for its answer any more. */
  #stop(): void {
    this.#controller?.abort();
    if (this.#onAbort !== undefined) told(this.#onAbort);
  }

  /** False when it had ended before. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#cancelTimer?.();
    return true;
  }
}

/** As with a signal: what a listener throws stops neither the others nor us. */
function told(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Without the text of what was thrown: nobody can say whether a secret is in it. */
const BROKEN_EXECUTOR = 'it could not be called, by a fault of its executor: look there, and resume the run';

function failed(error: string): UnitAnswer {
  return { kind: 'failed', error, retryable: true, outcome: 'unknown', retryAfterMs: null };
}
