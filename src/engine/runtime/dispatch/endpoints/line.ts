import { LightestFirst } from '../lightest-first.js';
import type { EndpointPolicy, Visit } from './visit.js';

/** Those who wait at one endpoint under the same policy: what holds for the first of them holds for all. */
interface Lane {
  readonly key: string;
  readonly policy: EndpointPolicy;
  readonly visits: LightestFirst<Visit>;
}

/** What an endpoint says of a policy. */
export interface Opening {
  /** From when on the breaker lets a call of it through (epoch ms); Infinity: that is not a matter of time. */
  breakerAt(policy: EndpointPolicy): number;
  /** From when on the limiter has room for one. */
  roomAt(policy: EndpointPolicy, now: number): number;
}

/**
 * Who waits at one endpoint. Those who came first are called first, with one exception: who waits for the breaker, by a
 * stricter measure than others, keeps none of them. Who waits for the limiter keeps all behind that have a limit, whatever
 * it is: were they let past, they would use up the minute again and again, and the strictest would never be called.
 */
export class Line {
  /** By policy; none is empty. */
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly opening: Opening) {}

  get isEmpty(): boolean {
    return this.lanes.size === 0;
  }

  /** To the place that it has by when it came. Answers whether it is the first under its policy. */
  add(visit: Visit): boolean {
    const key = keyOf(visit.policy);
    let lane = this.lanes.get(key);
    if (lane === undefined) {
      lane = { key, policy: visit.policy, visits: new LightestFirst() };
      this.lanes.set(key, lane);
    }
    lane.visits.add(visit);
    visit.visitor.waiting += 1;
    return lane.visits.first === visit;
  }

  remove(visit: Visit): void {
    const lane = this.lanes.get(keyOf(visit.policy));
    if (lane === undefined) return;
    lane.visits.remove(visit);
    visit.visitor.waiting -= 1;
    if (lane.visits.first === undefined) this.lanes.delete(lane.key);
  }

  /** Whose turn it is at that instant; null: nobody's. */
  next(now: number): Visit | null {
    let free: Visit | null = null;
    let limited: Visit | null = null;
    /** The first who waits for the limiter. */
    let kept = Infinity;
    for (const { policy, visits } of this.lanes.values()) {
      const { first } = visits;
      if (first === undefined || this.opening.breakerAt(policy) > now) continue;
      if (policy.rateLimit === null) free = earlier(free, first);
      else if (this.opening.roomAt(policy, now) <= now) limited = earlier(limited, first);
      else kept = Math.min(kept, first.weight);
    }
    return limited === null || limited.weight > kept ? free : earlier(free, limited);
  }

  /** When to look again (epoch ms); Infinity: time alone changes nothing. */
  nextAt(now: number): number {
    if (this.next(now) !== null) return now;
    let at = Infinity;
    for (const { policy } of this.lanes.values()) {
      const breakerAt = this.opening.breakerAt(policy);
      if (breakerAt > now) {
        at = Math.min(at, breakerAt);
        continue;
      }
      const roomAt = this.opening.roomAt(policy, now);
      // One with room waits behind one without.
      if (roomAt > now) at = Math.min(at, roomAt);
    }
    return at;
  }
}

function earlier(one: Visit | null, other: Visit): Visit {
  return one === null || other.weight < one.weight ? other : one;
}

function keyOf({ circuitBreaker, rateLimit }: EndpointPolicy): string {
  const { failureThreshold = '', resetMs = '' } = circuitBreaker ?? {};
  return `${failureThreshold}/${resetMs}/${rateLimit?.maxRequestsPerMinute ?? ''}`;
}
