import type { CallMark } from '../../ports/run-store.js';
import type {
  AnswerShare,
  ExecuteOptions,
  UnitAnswer,
  UnitExecutor,
  UnitRequest,
} from '../../ports/unit-executor.js';
import type { Execution } from '../../core/waits/execution.js';
import type { AttemptOutcome } from '../../ports/telemetry.js';
import type { AttemptWatch } from '../telemetry/attempt-watch.js';
import type { Call } from './call-launcher.js';
import type { Deadline, Deadlines, Timed } from './deadlines.js';

/** What a flight tells whoever began it. */
export interface FlightEvents {
  /** Its one answer; none where it was aborted before. */
  onAnswer(flight: Flight, answer: UnitAnswer): void;
}

/** One attempt under way: it ends with an answer, with its time-out, or by being aborted (then it never answers). */
export class Flight implements ExecuteOptions, Call, Timed {
  readonly executionId: number;
  readonly attempt: number;
  readonly idempotencyKey: string;
  /** For the unit, which has a clock of its own: by the wall clock, that is. */
  deadlineAt = 0;
  #mark: CallMark | undefined;
  #controller: AbortController | undefined;
  #onAbort: (() => void) | undefined;
  #deadlines: Deadlines | undefined;
  #deadline: Deadline | undefined;
  /** When its time is up, by the engine's clock, and the latest that this can be. */
  #dueAt = 0;
  #latestDueAt = 0;
  #hasBeaten = false;
  #cancelController: AbortController | undefined;
  #isTold = false;
  #isOver = false;
  #isDropped = false;
  #share: AnswerShare | undefined;

  constructor(
    private readonly runId: string,
    { id, key, attempt }: Execution,
    private readonly timeoutMs: number,
    private readonly events: FlightEvents,
    /** What no heartbeat puts the time-out beyond. */
    private readonly longestMs: number = timeoutMs,
    /** Null: nobody looks on. */
    private readonly watch: AttemptWatch | null = null,
  ) {
    this.executionId = id;
    this.attempt = attempt;
    this.idempotencyKey = `${runId}:${key}`;
  }

  get mark(): CallMark {
    const { runId, executionId, attempt } = this;
    return (this.#mark ??= { runId, executionId, attempt });
  }

  get traceparent(): string | undefined {
    return this.watch?.traceparent;
  }

  /** Made only for units that look at it: a controller costs more than a small in-process unit. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort();
    return this.#controller.signal;
  }

  get cancelSignal(): AbortSignal {
    this.#cancelController ??= new AbortController();
    if (this.#isTold || this.#isOver) this.#cancelController.abort();
    return this.#cancelController.signal;
  }

  /** The run is being cancelled: whoever can come to an end early does, and its answer counts until `abort`. */
  tell(): void {
    if (this.#isTold || this.#isOver) return;
    this.#isTold = true;
    this.#cancelController?.abort();
  }

  /** Whether it knows that the run is being cancelled. */
  get isTold(): boolean {
    return this.#isTold;
  }

  onAbort(listener: () => void): void {
    if (this.#isOver) return told(listener);
    const others = this.#onAbort;
    this.#onAbort = others === undefined ? listener : () => [others, listener].forEach(told);
  }

  /** A unit that answers at once has done so when this returns. */
  start(executor: UnitExecutor, request: UnitRequest, deadlines: Deadlines): void {
    if (this.#isOver) return;
    const now = deadlines.now();
    let answer;
    // An executor must not reject or throw. One that does all the same costs its unit an attempt, and nobody else anything.
    try {
      answer =
        this.watch === null
          ? executor.execute(request, this)
          : this.watch.within(() => executor.execute(request, this));
      if (!('kind' in answer)) {
        answer.then(
          (late) => this.#finish(late),
          () => this.#finish(BROKEN),
        );
        answer = null;
      }
    } catch {
      answer = BROKEN;
    }
    if (answer !== null) return this.#finish(answer);
    // The unit itself may have had the run aborted.
    if (this.#isOver) return;
    this.#dueAt = now + this.timeoutMs;
    this.#latestDueAt = now + this.longestMs;
    this.#deadlines = deadlines;
    this.#deadline = deadlines.set(this, now, this.timeoutMs);
  }

  heartbeat(): number | null {
    if (this.#isOver) return null;
    const deadlines = this.#deadlines;
    // Before its handler gave the loop back: the time has not begun to run.
    if (deadlines === undefined || this.#deadline === undefined) return this.deadlineAt;
    const now = deadlines.now();
    const dueAt = Math.min(now + this.timeoutMs, this.#latestDueAt);
    if (dueAt <= this.#dueAt) return this.deadlineAt;
    deadlines.drop(this.#deadline);
    this.#deadline = deadlines.set(this, now, dueAt - now);
    this.deadlineAt += dueAt - this.#dueAt;
    this.#dueAt = dueAt;
    this.#hasBeaten = true;
    return this.deadlineAt;
  }

  /** Its time is up. */
  overrun(): void {
    if (!this.#end('timed-out')) return;
    this.#stop();
    this.release();
    this.events.onAnswer(this, { ...failed(this.#overdue()), timedOutMs: this.timeoutMs });
  }

  #overdue(): string {
    if (!this.#hasBeaten) return `timed out after ${this.timeoutMs} ms`;
    return this.#dueAt < this.#latestDueAt
      ? `timed out ${this.timeoutMs} ms after its last heartbeat`
      : `timed out after ${this.longestMs} ms, beyond which no heartbeat helps`;
  }

  /** `isTakenUp`: the same attempt is called again later. */
  abort(isTakenUp = false): void {
    if (this.#end('aborted', isTakenUp)) this.#stop();
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

  #finish(answer: UnitAnswer): void {
    if (!this.#end(answer.kind)) return;
    this.#onAbort = undefined;
    this.events.onAnswer(this, answer);
  }

  /** Tells the unit that nobody waits for its answer any more. */
  #stop(): void {
    this.#controller?.abort();
    this.#cancelController?.abort();
    if (this.#onAbort !== undefined) told(this.#onAbort);
  }

  /** False when it had ended before. */
  #end(outcome: AttemptOutcome, isTakenUp = false): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.watch?.end(outcome, isTakenUp);
    if (this.#deadline !== undefined) this.#deadlines?.drop(this.#deadline);
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

function failed(error: string): Extract<UnitAnswer, { kind: 'failed' }> {
  return { kind: 'failed', error, retryable: true, outcome: 'unknown', retryAfterMs: null };
}

/** Without the text of what was thrown: nobody can say whether a secret is in it. */
const BROKEN = failed('it could not be called, by a fault of its executor: look there, and resume the run');
