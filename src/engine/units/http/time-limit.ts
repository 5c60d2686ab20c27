import type { Clock } from '../../ports/clock.js';
import type { ResponseShare, AttemptEnd, ExecuteOptions } from '../../ports/unit-executor.js';
import { whenAborted } from './transport/attempt-end.js';

/** An attempt that also ends at its binding's limit, if it has not ended before. */
export class TimeLimit implements AttemptEnd {
  /** The limit, and not the attempt, ended it. */
  isOverrun = false;
  /** Absent where the attempt has none: then a share ends with its response. */
  readonly hold?: (share: ResponseShare) => void;
  readonly #stopsListening: (() => void) | null;
  readonly #cancelTimer: () => void;
  #isOver = false;
  #listener: (() => void) | undefined;
  #controller: AbortController | undefined;

  constructor(attempt: ExecuteOptions, clock: Clock, timeoutMs: number) {
    if (attempt.hold !== undefined) this.hold = (share) => attempt.hold?.(share);
    this.#cancelTimer = clock.schedule(clock.now() + timeoutMs, () => {
      this.isOverrun = !this.#isOver;
      this.#end();
    });
    this.#stopsListening = whenAborted(attempt, () => this.#end());
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort();
    return this.#controller.signal;
  }

  onAbort(listener: () => void): void {
    if (this.#isOver) listener();
    else this.#listener = listener;
  }

  /** The call is over: neither a timer nor a listener is left. */
  close(): void {
    this.#cancelTimer();
    this.#stopsListening?.();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#controller?.abort();
    this.#listener?.();
  }
}
