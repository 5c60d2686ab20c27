import type { JsonObject, JsonValue } from './json.js';

/** What a unit is given; a remote unit gets the same as its body. */
export interface UnitRequest {
  /** The unit's `with`, evaluated, or, without one, the run's input. */
  readonly input: JsonValue;
  /** The shared state, as the unit's `contextPolicy.state` says. */
  readonly state: JsonObject;
  readonly context: UnitContext;
}

export interface UnitContext {
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

export interface UnitCall {
  /** The same for all attempts of one execution. */
  readonly idempotencyKey: string;
  /**
   * Fires when the answer is not waited for any more; and when the run is being cancelled, where what is answered within its
   * grace still counts.
   */
  readonly signal: AbortSignal;
}

/**
 * A unit that is code of this process. An object with `content` is an envelope (`content`, `state`, `metadata`,
 * `tokenUsage`, `stopReason`), anything else is the output. What it throws is a failure that is tried again, unless the
 * error has `retryable: false`.
 */
export type UnitHandler = (request: UnitRequest, call: UnitCall) => unknown;
