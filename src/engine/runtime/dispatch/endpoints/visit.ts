import type { RateLimitPolicy } from '../../../core/plan/plan.js';
import type { UnitAnswer } from '../../../ports/unit-executor.js';
import type { Weighed } from '../lightest-first.js';
import type { BreakerPolicy } from './breaker.js';

/** What a unit says of how its endpoint is to be treated. */
export interface EndpointPolicy {
  readonly circuitBreaker: BreakerPolicy | null;
  readonly rateLimit: RateLimitPolicy | null;
}

/** A run, to the endpoints that its units visit. */
export interface Visitor {
  /** Of which workflow it is, its namespace with it. */
  readonly workflow: string;
  /** How many of its calls wait in a line; the endpoints count. */
  waiting: number;
  /** The execution may be called now: it is, or it asks again later. Nobody waits for it meanwhile. */
  onTurn(executionId: number): void;
}

/** An endpoint, to those who visit it. */
export interface Visited {
  /** Whether it is its turn: then it is called at once (`begin`), or asks again. If not, it waits in line. */
  mayCall(visit: Visit): boolean;
  /** It is called. */
  begin(visit: Visit): void;
  /** It came to its end, or is not wanted any more, whether it was called (null: it was aborted) or not. */
  leave(visit: Visit, answer: UnitAnswer | null): void;
}

/** One attempt of a unit, as its endpoint sees it: it waits in line, or is about to be called, or is under way. */
export class Visit implements Weighed {
  since = 0;
  index = -1;
  isUnderWay = false;

  constructor(
    readonly endpoint: Visited,
    readonly visitor: Visitor,
    readonly executionId: number,
    readonly policy: EndpointPolicy,
    /** Its rank at the endpoint, which it keeps until it is called (`TurnsOfWorkflows`). */
    public weight: number,
  ) {}

  get isWaiting(): boolean {
    return this.index >= 0;
  }
}
