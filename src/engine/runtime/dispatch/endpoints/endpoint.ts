import { DEFAULT_NAMESPACE } from '../../../core/namespace.js';
import type { UnitOutcome } from '../../../ports/unit-executor.js';
import type { EngineLogger } from '../../../ports/logger.js';
import type { Deadline, Deadlines, Timed } from '../attempts/deadlines.js';
import { Breaker } from './breaker.js';
import { CallWindows } from './call-windows.js';
import { EndpointQueue, type Availability } from './endpoint-queue.js';
import { WorkflowRounds } from './workflow-rounds.js';
import type { EndpointPolicy, QueuedCall, CallableEndpoint } from './queued-call.js';
import type { ReplicaShare } from './replica-share.js';

/** Which endpoint it is, and whose. */
export interface EndpointAddress {
  readonly namespace: string;
  readonly address: string;
}

/** How many calls are released before yielding to the event loop. */
const MOST_AT_ONCE = 100;

/**
 * One endpoint, as the units with a circuit breaker or a rate limit call it; calls of other units are not counted.
 *
 * 1. A call that may not be made now waits here: it costs no event, no attempt, no slot of `Admission` and no time of its
 *    unit.
 * 2. The next call is notified once, and leaves the queue. If its run cannot make it at once, the one after it is notified,
 *    so none waits for a slot that another workflow has used up. It comes back with its old rank when its run can.
 * 3. Waiting calls are notified when a call ends, when another leaves, or by one wake-up, set only while calls wait.
 */
export class Endpoint implements CallableEndpoint, Timed, Availability {
  /** How many calls there are, waiting or not. */
  callCount = 0;
  private readonly breaker = new Breaker();
  private readonly windows = new CallWindows();
  private readonly rounds = new WorkflowRounds();
  private readonly queue = new EndpointQueue(this);
  private wakeUp: Deadline | null = null;
  private wakeUpAt = Infinity;
  private isServing = false;
  /** The call that is being notified. */
  private offeredTo: QueuedCall | null = null;
  private isLoggedAsFailing = false;

  constructor(
    private readonly at: EndpointAddress,
    private readonly deadlines: Deadlines,
    private readonly logger: EngineLogger,
    private readonly share: ReplicaShare,
  ) {}

  rankFor(workflow: string): number {
    return this.rounds.rankFor(workflow);
  }

  breakerAt({ circuitBreaker }: EndpointPolicy): number {
    if (circuitBreaker === null || !this.breaker.isOpenFor(circuitBreaker)) return 0;
    return this.breaker.permitsAt(circuitBreaker);
  }

  roomAt({ rateLimit }: EndpointPolicy, now: number): number {
    if (rateLimit === null) return 0;
    const { maxRequestsPerMinute: limit } = rateLimit;
    const most = this.share.of(limit, now);
    return this.windows.hasRoom(limit, now, most) ? 0 : this.windows.roomAt(limit, most);
  }

  mayCall(call: QueuedCall): boolean {
    const now = this.deadlines.now();
    const { queue } = this;
    // A call that was just notified is not queued again after others of its rank.
    if ((queue.isEmpty || this.offeredTo === call) && this.isOpenFor(call, now)) return true;
    if (!call.isWaiting) queue.add(call);
    if (queue.next(now) === call) {
      queue.remove(call);
      return true;
    }
    this.scheduleWakeUp(now);
    return false;
  }

  private isOpenFor({ policy }: QueuedCall, now: number): boolean {
    return this.breakerAt(policy) <= now && this.roomAt(policy, now) <= now;
  }

  begin(call: QueuedCall): void {
    call.isUnderWay = true;
    const { circuitBreaker, rateLimit } = call.policy;
    const now = this.deadlines.now();
    if (circuitBreaker !== null) this.breaker.begin(call, circuitBreaker, now);
    if (rateLimit !== null) this.windows.add(rateLimit.maxRequestsPerMinute, now);
    this.rounds.serve(call.weight);
  }

  leave(call: QueuedCall, outcome: UnitOutcome | null): void {
    this.callCount -= 1;
    if (call.isWaiting) this.queue.remove(call);
    const { circuitBreaker } = call.policy;
    if (call.isUnderWay && circuitBreaker !== null) {
      this.breaker.end(call, circuitBreaker, outcome, this.deadlines.now());
      this.logHealth(call.policy);
    }
    call.isUnderWay = false;
    this.serve();
  }

  /** The wake-up fired. */
  overrun(): void {
    this.wakeUp = null;
    this.wakeUpAt = Infinity;
    this.serve();
  }

  /** Whether it can be forgotten without a difference; `isCrowded`: or with next to none. */
  isUnused(now: number, isCrowded: boolean): boolean {
    if (this.callCount > 0 || !this.windows.isEmpty(now)) return false;
    return isCrowded || this.breaker.isForgotten(now);
  }

  /** A call that is queued again during this loop is notified by it, not by a nested one. */
  private serve(): void {
    if (this.isServing || (this.queue.isEmpty && this.wakeUp === null)) return;
    this.isServing = true;
    try {
      for (let offered = 0; offered < MOST_AT_ONCE; offered += 1) {
        const call = this.queue.next(this.deadlines.now());
        if (call === null) break;
        this.queue.remove(call);
        this.offeredTo = call;
        call.caller.onAvailable(call.executionId);
      }
    } finally {
      this.offeredTo = null;
      this.isServing = false;
      this.scheduleWakeUp(this.deadlines.now());
    }
  }

  private scheduleWakeUp(now: number): void {
    const at = this.queue.nextAt(now);
    if (at === this.wakeUpAt && this.wakeUp !== null) return;
    if (this.wakeUp !== null) this.deadlines.drop(this.wakeUp);
    this.wakeUpAt = at;
    this.wakeUp = at === Infinity ? null : this.deadlines.set(this, now, at - now);
  }

  /** Logs each outage once, however many units' breakers open. */
  private logHealth({ circuitBreaker }: EndpointPolicy): void {
    const { failuresInARow } = this.breaker;
    if (circuitBreaker === null) return;
    if (!this.isLoggedAsFailing && this.breaker.isOpenFor(circuitBreaker)) {
      this.isLoggedAsFailing = true;
      this.logger.warn(
        'An endpoint keeps failing: calls to it are put off, and it is tried from time to time',
        {
          ...nameOf(this.at),
          failures: failuresInARow,
          resetMs: circuitBreaker.resetMs,
        },
      );
    } else if (this.isLoggedAsFailing && failuresInARow === 0) {
      this.isLoggedAsFailing = false;
      this.logger.info('An endpoint that kept failing answers again', nameOf(this.at));
    }
  }
}

/** Of an address the host alone, as some services have their credentials in the path. */
function nameOf({ namespace, address }: EndpointAddress) {
  const endpoint = URL.parse(address)?.host ?? address;
  return namespace === DEFAULT_NAMESPACE ? { endpoint } : { namespace, endpoint };
}
