import type { AttemptOutcome } from '../../ports/telemetry.js';

/** Looks on while one attempt is under way, for those who measure and trace. Nothing is thrown from it. */
export interface AttemptWatch {
  /** Of its span, once it is within; undefined: nobody traces. */
  readonly traceparent: string | undefined;
  /** Calls the unit: the time begins, and what it does is inside of its span. */
  within<T>(call: () => T): T;
  /** `isTakenUp`: the same attempt is called again later, and is told of then. */
  end(outcome: AttemptOutcome, isTakenUp: boolean): void;
}
