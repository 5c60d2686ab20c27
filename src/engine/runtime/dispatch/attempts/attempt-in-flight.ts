import type { CallMark } from '../../../ports/store/crash-journal.js';
import type {
  ResponseShare,
  ExecuteOptions,
  UnitOutcome,
  UnitExecutor,
  UnitRequest,
} from '../../../ports/unit-executor.js';
import type { Execution } from '../../../core/waits/execution.js';
import type { AttemptOutcome } from '../../../ports/telemetry.js';
import type { AttemptWatch } from '../../telemetry/attempt-watch.js';
import type { Call } from './call-launcher.js';
import type { Deadline, Deadlines, Timed } from './deadlines.js';

/** Receives what comes of an attempt in flight. */
export interface AttemptEvents {
  /** The attempt's only outcome; never called after it was aborted. */
  onOutcome(attemptInFlight: AttemptInFlight, outcome: UnitOutcome): void;
}

/**
 * One attempt in flight. The path from its outcome to the next call begins here: docs/paths.md#outcome.
 *
 * 1. It ends once, with whichever is first: an outcome, its time-out, or an abort. What comes later is dropped.
 * 2. An aborted attempt has no outcome: `onOutcome` is not called.
 * 3. Heartbeats move its time-out, but not beyond `longestMs` from the start.
 * 4. What its outcome holds of a shared bound is released once, when the decision on it is stored or it has none.
 */
export class AttemptInFlight implements ExecuteOptions, Call, Timed {
  readonly executionId: number;
  readonly attempt: number;
  readonly idempotencyKey: string;
  /** Epoch ms by the wall clock, as the unit has a clock of its own. */
  deadlineAt = 0;
  #mark: CallMark | undefined;
  #controller: AbortController | undefined;
  #onAbort: (() => void) | undefined;
  #deadlines: Deadlines | undefined;
  #deadline: Deadline | undefined;
  /** When it times out, by the engine's clock, and the latest that heartbeats can move this to. */
  #dueAt = 0;
  #latestDueAt = 0;
  #heartbeatReceived = false;
  #cancelController: AbortController | undefined;
  #isNotified = false;
  #isOver = false;
  #isDropped = false;
  #share: ResponseShare | undefined;

  constructor(
    private readonly runId: string,
    { id, key, attempt, compensates }: Execution,
    private readonly timeoutMs: number,
    private readonly events: AttemptEvents,
    /** No heartbeat moves the time-out beyond this, in ms from the start. */
    private readonly longestMs: number = timeoutMs,
    /** Null: nothing observes the attempt. */
    private readonly watch: AttemptWatch | null = null,
  ) {
    this.executionId = id;
    this.attempt = attempt;
    // What undoes a call has the key of that call, and is told from it: so it is the same for every try.
    this.idempotencyKey = compensates === undefined ? `${runId}:${key}` : `${runId}:${key}:compensate`;
  }

  get mark(): CallMark {
    const { runId, executionId, attempt } = this;
    return (this.#mark ??= { runId, executionId, attempt });
  }

  get traceparent(): string | undefined {
    return this.watch?.traceparent;
  }

  /** Created only for units that read it: a controller costs more than a small in-process unit. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort();
    return this.#controller.signal;
  }

  get cancelSignal(): AbortSignal {
    this.#cancelController ??= new AbortController();
    if (this.#isNotified || this.#isOver) this.#cancelController.abort();
    return this.#cancelController.signal;
  }

  /** The run is being cancelled: a unit that can end early does, and its outcome counts until `abort`. */
  notifyCancelling(): void {
    if (this.#isNotified || this.#isOver) return;
    this.#isNotified = true;
    this.#cancelController?.abort();
  }

  /** Whether it was notified that the run is being cancelled. */
  get isNotified(): boolean {
    return this.#isNotified;
  }

  onAbort(listener: () => void): void {
    if (this.#isOver) return notify(listener);
    const others = this.#onAbort;
    this.#onAbort = others === undefined ? listener : () => [others, listener].forEach(notify);
  }

  /** A unit that completes synchronously has done so when this returns. */
  start(executor: UnitExecutor, request: UnitRequest, deadlines: Deadlines): void {
    if (this.#isOver) return;
    const now = deadlines.now();
    let outcome;
    // An executor must not reject or throw. If one does, it costs its unit an attempt and affects nothing else.
    try {
      outcome =
        this.watch === null
          ? executor.execute(request, this)
          : this.watch.within(() => executor.execute(request, this));
      if (!('kind' in outcome)) {
        outcome.then(
          (late) => this.#finish(late),
          () => this.#finish(BROKEN),
        );
        outcome = null;
      }
    } catch {
      outcome = BROKEN;
    }
    if (outcome !== null) return this.#finish(outcome);
    // The unit itself may have caused the abort of its run.
    if (this.#isOver) return;
    this.#dueAt = now + this.timeoutMs;
    this.#latestDueAt = now + this.longestMs;
    this.#deadlines = deadlines;
    this.#deadline = deadlines.set(this, now, this.timeoutMs);
  }

  heartbeat(): number | null {
    if (this.#isOver) return null;
    const deadlines = this.#deadlines;
    // The handler has not yielded to the event loop yet, so the time-out is not set.
    if (deadlines === undefined || this.#deadline === undefined) return this.deadlineAt;
    const now = deadlines.now();
    const dueAt = Math.min(now + this.timeoutMs, this.#latestDueAt);
    if (dueAt <= this.#dueAt) return this.deadlineAt;
    deadlines.drop(this.#deadline);
    this.#deadline = deadlines.set(this, now, dueAt - now);
    this.deadlineAt += dueAt - this.#dueAt;
    this.#dueAt = dueAt;
    this.#heartbeatReceived = true;
    return this.deadlineAt;
  }

  /** The attempt timed out. */
  overrun(): void {
    if (!this.#end('timed-out')) return;
    this.#stop();
    this.release();
    this.events.onOutcome(this, { ...failed(this.#overdue()), timedOutMs: this.timeoutMs });
  }

  #overdue(): string {
    if (!this.#heartbeatReceived) return `timed out after ${this.timeoutMs} ms`;
    return this.#dueAt < this.#latestDueAt
      ? `timed out ${this.timeoutMs} ms after its last heartbeat`
      : `timed out after ${this.longestMs} ms, beyond which no heartbeat helps`;
  }

  /** `isTakenUp`: the same attempt is called again later. */
  abort(isTakenUp = false): void {
    if (this.#end('aborted', isTakenUp)) this.#stop();
    this.release();
  }

  /** Keeps the share of an executor whose outcomes share a memory bound, until `release`. */
  hold(share: ResponseShare): void {
    this.#share?.release();
    this.#share = share;
    if (this.#isDropped) share.release();
  }

  /** The decision on its outcome is stored, or it has no outcome that counts. */
  release(): void {
    this.#isDropped = true;
    this.#share?.release();
    this.#share = undefined;
  }

  #finish(outcome: UnitOutcome): void {
    if (!this.#end(outcome.kind)) return;
    this.#onAbort = undefined;
    this.events.onOutcome(this, outcome);
  }

  /** Signals to the unit that its outcome is no longer needed. */
  #stop(): void {
    this.#controller?.abort();
    this.#cancelController?.abort();
    if (this.#onAbort !== undefined) notify(this.#onAbort);
  }

  /** False when the attempt had ended before. */
  #end(outcome: AttemptOutcome, isTakenUp = false): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.watch?.end(outcome, isTakenUp);
    if (this.#deadline !== undefined) this.#deadlines?.drop(this.#deadline);
    return true;
  }
}

/** Calls the listener as an `AbortSignal` would: what it throws stops neither the others nor us. */
function notify(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

function failed(error: string): Extract<UnitOutcome, { kind: 'failed' }> {
  return { kind: 'failed', error, retryable: true, outcome: 'unknown', retryAfterMs: null };
}

/** The text of what was thrown is left out, because it may contain a secret. */
const BROKEN = failed('it could not be called, by a fault of its executor: look there, and resume the run');
