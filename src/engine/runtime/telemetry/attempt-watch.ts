import type { AttemptOutcome } from '../../ports/telemetry.js';

/** Measures and traces one attempt while it is under way. Nothing is thrown from it. */
export interface AttemptWatch {
  /** That of its span, once `within` was called; undefined: tracing is off. */
  readonly traceparent: string | undefined;
  /** Calls the unit: the time begins, and the call runs inside the span. */
  within<T>(call: () => T): T;
  /** `isTakenUp`: the same attempt is called again later, and is traced then. */
  end(outcome: AttemptOutcome, isTakenUp: boolean): void;
}
