import type { RateLimitPolicy } from '../../../core/plan/plan.js';
import type { UnitOutcome } from '../../../ports/unit-executor.js';
import type { Prioritized } from '../../../scheduling/queues/priority-heap.js';
import type { BreakerPolicy } from './breaker.js';

/** A unit's circuit breaker and rate limit for its endpoint. */
export interface EndpointPolicy {
  readonly circuitBreaker: BreakerPolicy | null;
  readonly rateLimit: RateLimitPolicy | null;
}

/** A run, as the endpoints of its units see it. */
export interface EndpointCaller {
  readonly namespace: string;
  /** The workflow of the run. */
  readonly workflow: string;
  /** How many of its calls are queued; maintained by the endpoints. */
  waiting: number;
  /** The execution may be called now: it is called, or tries again later. Until then it blocks no other call. */
  onAvailable(executionId: number): void;
}

/** An endpoint, as queued calls see it. */
export interface CallableEndpoint {
  /** Whether the call may be made now: then it is made at once (`begin`), or tries again. If not, it is queued. */
  mayCall(call: QueuedCall): boolean;
  /** The call is made. */
  begin(call: QueuedCall): void;
  /** The call ended, or is not wanted any more. `outcome` null: it was aborted, or never made. */
  leave(call: QueuedCall, outcome: UnitOutcome | null): void;
}

/** One attempt of a unit, as its endpoint sees it: it is queued, about to be called, or under way. */
export class QueuedCall implements Prioritized {
  since = 0;
  index = -1;
  isUnderWay = false;

  constructor(
    readonly endpoint: CallableEndpoint,
    readonly caller: EndpointCaller,
    readonly executionId: number,
    readonly policy: EndpointPolicy,
    /** Its rank at the endpoint, which it keeps until it is called (`WorkflowRounds`). */
    public weight: number,
  ) {}

  get isWaiting(): boolean {
    return this.index >= 0;
  }
}
