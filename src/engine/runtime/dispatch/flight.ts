import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { ExecuteOptions, UnitAnswer, UnitExecutor, UnitRequest } from '../../ports/unit-executor.js';

/** One attempt under way: it ends with an answer, with its time-out, or by being aborted (then it never answers). */
export class Flight implements ExecuteOptions {
  #controller: AbortController | undefined;
  #cancelTimer: CancelTimer | undefined;
  #isOver = false;

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

  start(
    executor: UnitExecutor,
    request: UnitRequest,
    timing: { readonly clock: Clock; readonly timeoutMs: number },
    onAnswer: (answer: UnitAnswer) => void,
  ): void {
    const { clock, timeoutMs } = timing;
    this.#cancelTimer = clock.schedule(clock.now() + timeoutMs, () => {
      if (!this.#end()) return;
      this.#controller?.abort();
      onAnswer({
        kind: 'failed',
        error: `timed out after ${timeoutMs} ms`,
        retryable: true,
        outcome: 'unknown',
        retryAfterMs: null,
      });
    });
    void executor.execute(request, this).then((answer) => {
      if (this.#end()) onAnswer(answer);
    });
  }

  abort(): void {
    if (this.#end()) this.#controller?.abort();
  }

  /** False when it had ended before. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#cancelTimer?.();
    return true;
  }
}
