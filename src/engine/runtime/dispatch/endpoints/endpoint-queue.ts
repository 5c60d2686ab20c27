import { PriorityHeap } from '../../../scheduling/queues/priority-heap.js';
import type { EndpointPolicy, QueuedCall } from './queued-call.js';

/** The calls that wait at one endpoint under the same policy: what holds for the first of them holds for all. */
interface Bucket {
  readonly key: string;
  readonly policy: EndpointPolicy;
  readonly calls: PriorityHeap<QueuedCall>;
}

/** When an endpoint is available under a policy. */
export interface Availability {
  /** When the breaker permits a call at the latest (epoch ms). */
  breakerAt(policy: EndpointPolicy): number;
  /** When the rate limit has room for a call (epoch ms). */
  roomAt(policy: EndpointPolicy, now: number): number;
}

/**
 * The calls that wait at one endpoint. Of those that may be made the one of the lowest rank is next. A call that a stricter
 * policy blocks does not block the others.
 */
export class EndpointQueue {
  /** Buckets by policy; none is empty. */
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly availability: Availability) {}

  get isEmpty(): boolean {
    return this.buckets.size === 0;
  }

  /** Adds the call at the position of its rank. */
  add(call: QueuedCall): void {
    const key = keyOf(call.policy);
    let bucket = this.buckets.get(key);
    if (bucket === undefined) {
      bucket = { key, policy: call.policy, calls: new PriorityHeap() };
      this.buckets.set(key, bucket);
    }
    bucket.calls.add(call);
    call.caller.waiting += 1;
  }

  remove(call: QueuedCall): void {
    const bucket = this.buckets.get(keyOf(call.policy));
    if (bucket === undefined) return;
    bucket.calls.remove(call);
    call.caller.waiting -= 1;
    if (bucket.calls.first === undefined) this.buckets.delete(bucket.key);
  }

  /** The next call that may be made at that instant; null: there is none. */
  next(now: number): QueuedCall | null {
    let next: QueuedCall | null = null;
    for (const { policy, calls } of this.buckets.values()) {
      const { first } = calls;
      if (first === undefined || (next !== null && next.weight <= first.weight)) continue;
      if (this.availability.breakerAt(policy) <= now && this.availability.roomAt(policy, now) <= now)
        next = first;
    }
    return next;
  }

  /** When to look again (epoch ms); Infinity: time alone changes nothing. */
  nextAt(now: number): number {
    if (this.next(now) !== null) return now;
    let at = Infinity;
    for (const { policy } of this.buckets.values()) {
      const breakerAt = this.availability.breakerAt(policy);
      at = Math.min(at, breakerAt > now ? breakerAt : this.availability.roomAt(policy, now));
    }
    return at;
  }
}

function keyOf({ circuitBreaker, rateLimit }: EndpointPolicy): string {
  const { failureThreshold = '', resetMs = '', timeoutMs = '' } = circuitBreaker ?? {};
  return `${failureThreshold}/${resetMs}/${timeoutMs}/${rateLimit?.maxRequestsPerMinute ?? ''}`;
}
