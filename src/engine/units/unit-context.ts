import type { JsonObject } from '../core/json.js';
import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import type { CallContext, ExecuteOptions, UnitRequest } from '../ports/unit-executor.js';
import type { UnitLogger } from './unit-logger.js';

/** What a unit that is code of this process knows of the call, and can do about it. */
export interface UnitContext extends CallContext {
  readonly namespace: string;
  /** Epoch ms; the attempt is aborted then. Moves on with each `heartbeat`. */
  readonly deadlineAt: number;
  /** The shared state of the unit's scope, as its `contextPolicy.state` says. Frozen. */
  readonly state: JsonObject;
  /**
   * Fires when the time-out passes, or the outcome is no longer awaited: whatever the unit does after that is ignored. Also
   * fires when the run is being cancelled: a result within `cancelGraceMs` is then recorded.
   */
  readonly signal: AbortSignal;
  /**
   * The same for all attempts of one execution, also after a crash: pass it on to services that must not do the work twice.
   */
  readonly idempotencyKey: string;
  /** Writes to the engine's log, with the run and the unit in each line. Bounded; without the secrets of `config`. */
  readonly logger: UnitLogger;
  /**
   * Says that the unit is alive: its time-out (`policy.timeout.unitMs`) starts again, as often as it is called, until the
   * attempt has lasted as long as one may at the most (`maxUnitMs`, 24 hours). False: the outcome is no longer awaited.
   * Nothing of it is stored: after a crash the unit is called again, from its start.
   */
  heartbeat(): boolean;
}

/** Builds what the unit reads, and nothing else: a signal costs more than a small unit. */
export class ContextOfCall implements UnitContext {
  readonly #request: UnitRequest;
  readonly #options: ExecuteOptions;
  readonly #loggerOf: (context: CallContext) => UnitLogger;
  #logger: UnitLogger | undefined;
  #deadlineAt: number | undefined;

  constructor(request: UnitRequest, options: ExecuteOptions, loggerOf: (context: CallContext) => UnitLogger) {
    this.#request = request;
    this.#options = options;
    this.#loggerOf = loggerOf;
  }

  get namespace(): string {
    return this.#request.context.namespace ?? DEFAULT_NAMESPACE;
  }

  get workflowId(): string {
    return this.#request.context.workflowId;
  }

  get runId(): string {
    return this.#request.context.runId;
  }

  get unitId(): string {
    return this.#request.context.unitId;
  }

  get executionId(): string {
    return this.#request.context.executionId;
  }

  get attempt(): number {
    return this.#request.context.attempt;
  }

  get traceId(): string {
    return this.#request.context.traceId;
  }

  get deadlineAt(): number {
    return this.#deadlineAt ?? this.#request.context.deadlineAt;
  }

  get config(): JsonObject {
    return this.#request.context.config;
  }

  get contextPolicy(): JsonObject {
    return this.#request.context.contextPolicy;
  }

  get state(): JsonObject {
    return this.#request.state;
  }

  get signal(): AbortSignal {
    return this.#options.cancelSignal ?? this.#options.signal;
  }

  get idempotencyKey(): string {
    return this.#options.idempotencyKey;
  }

  get logger(): UnitLogger {
    return (this.#logger ??= this.#loggerOf(this.#request.context));
  }

  heartbeat(): boolean {
    const until = this.#options.heartbeat?.() ?? null;
    if (until === null) return false;
    this.#deadlineAt = until;
    return true;
  }
}
