import type { JsonObject, JsonValue } from '../core/json.js';

/** What a unit is given; the same shape goes to a remote unit as its body (remote unit contract). */
export interface UnitRequest<Input = JsonValue> {
  /** The unit's `with`, evaluated, or, without one, the run's input. */
  readonly input: Input;
  /** The shared state of the unit's scope, as its `contextPolicy.state` says. Frozen. */
  readonly state: JsonObject;
  readonly context: CallContext;
}

/** Which call it is. */
export interface CallContext {
  /** Absent: `default`. */
  readonly namespace?: string;
  readonly workflowId: string;
  readonly runId: string;
  readonly unitId: string;
  readonly executionId: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** 32 hex digits; one per run. */
  readonly traceId: string;
  /** Epoch ms; the attempt is aborted then. */
  readonly deadlineAt: number;
  readonly config: JsonObject;
  readonly contextPolicy: JsonObject;
}

/** How one attempt ended. */
export type UnitOutcome =
  | {
      readonly kind: 'finished';
      readonly output: JsonValue;
      readonly patch: JsonObject | null;
      readonly usage: { readonly tokens: number; readonly cost: number } | null;
      /** All of the result's `metadata`. */
      readonly metadata: JsonObject | null;
    }
  | {
      readonly kind: 'failed';
      /** One sentence; names the status and at most 500 characters of a body, never a header. */
      readonly error: string;
      readonly retryable: boolean;
      /** `unknown`: the unit may have done its work. */
      readonly outcome: 'refused' | 'unknown';
      /** From `Retry-After`, in ms from now; wins over the back-off. */
      readonly retryAfterMs: number | null;
      /** The time-out that passed, in ms: with a longer one there might have been a result. Absent: none did. */
      readonly timedOutMs?: number;
      /** The HTTP status of the response. Absent: there was none. */
      readonly status?: number;
    };

/** Runs one kind of unit. Never rejects: a fault is an outcome. */
export interface UnitExecutor {
  /**
   * Makes one attempt. `idempotencyKey` is the same for all attempts of one execution. When `signal` fires the executor
   * stops at once; its outcome is then ignored. An outcome that is known at once needs no promise.
   */
  execute(request: UnitRequest, options: ExecuteOptions): UnitOutcome | Promise<UnitOutcome>;
  /**
   * Whether an attempt with these settings has no effect outside and its outcome at once. Then it may be executed in the
   * turn that schedules it, before that is stored, and again after a crash (decision 0104). Absent: never.
   */
  isPure?(config: JsonObject): boolean;
}

/** The end of an attempt before its outcome, for code that must stop then. */
export interface AttemptEnd {
  readonly signal: AbortSignal;
  /**
   * Calls `listener` when `signal` would fire, or now if that has happened, without making a signal: one costs more than a
   * small unit. The listener is dropped with the attempt. Absent: there is only `signal`.
   */
  onAbort?(listener: () => void): void;
}

export interface ExecuteOptions extends AttemptEnd {
  readonly idempotencyKey: string;
  /** W3C trace context of the attempt's span. Absent: nothing traces. */
  readonly traceparent?: string | undefined;
  /**
   * Fires when the run is being cancelled, and with `signal`: an executor that can end early does, and its outcome counts
   * until `signal` fires. Absent: a cancellation is not signalled.
   */
  readonly cancelSignal?: AbortSignal;
  /**
   * The unit is alive: its time-out starts again, within the longest that one attempt may take. Returns until when (epoch
   * ms, by the wall clock), or null when the outcome is no longer awaited. Absent: the time-out stays as it is.
   */
  heartbeat?(): number | null;
  /**
   * For an executor that bounds what its responses hold in memory: keeps a share of that bound, and releases it when the
   * outcome is stored or dropped.
   */
  hold?(share: ResponseShare): void;
}

/** Memory that a response holds, or is about to. */
export interface ResponseShare {
  /** Idempotent. */
  release(): void;
}
